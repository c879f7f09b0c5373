// Prints THIRD-PARTY-NOTICES.md, made from CycloneDX documents: component names by licence. Versions are in the documents.
import { readFileSync } from "node:fs";

const HEAD = `# Third-party notices

Parley's distribution contains the components below, each under its own licence. \`.ci/sbom\` makes this file; the CycloneDX documents in \`target/sbom\` also have the versions and checksums. Several licences in a heading are alternatives or apply to parts; the component says which.

Jars carry their licence and notice files under \`META-INF\`; the dashboard serves those of its components at \`/licenses.md\`. Some jars contain further software:

- \`embedded-postgres-binaries-*\`: PostgreSQL (PostgreSQL License) and the libraries that it links.
- \`python-language\`, \`python-resources\`: the Python standard library (PSF License).
- \`duckdb_jdbc\`: DuckDB (MIT).
- \`openpdf-fonts-extra\`: the Liberation fonts (SIL Open Font License 1.1).
- \`parley-reader\`: Noto fonts (SIL Open Font License 1.1) and DroidSansFallback (Apache License 2.0).

A release also contains OpenJDK in \`runtime\` (GPL-2.0 with Classpath Exception, \`runtime/legal\`), PostgreSQL unpacked in \`postgres\`, and \`libstdc++\` and \`libgcc_s\` in \`native\` (GPL-3.0 with GCC Runtime Library Exception).
`;

/** Spellings of licences that are the same one. */
const SAME = [
  [/apache.*2|^ASL 2/i, "Apache-2.0"],
  [/^(the )?mit( license)?$|^MIT/i, "MIT"],
  [/eclipse public license.*2|EPL.?2/i, "EPL-2.0"],
  [/eclipse public license.*1|EPL.?1/i, "EPL-1.0"],
  [/eclipse distribution|^EDL|BSD-3|3-clause/i, "BSD-3-Clause"],
  [/BSD-2|2-clause/i, "BSD-2-Clause"],
  [/universal permissive|^UPL/i, "UPL-1.0"],
  [/general public license.*classpath/i, "GPL-2.0-with-classpath-exception"],
  [/^mozilla.*2/i, "MPL-2.0"],
  [/^LGPL.*2\.1|lesser general public.*2\.1/i, "LGPL-2.1"],
];

const spelling = (name) => SAME.find(([pattern]) => pattern.test(name))?.[1] ?? name;

/** The licences that the component states, each once. */
function licence(component) {
  const stated = (component.licenses ?? []).flatMap((one) =>
    one.expression ? one.expression.replace(/[()]/g, "").split(/ OR | AND /) : [one.license.id ?? one.license.name],
  );
  return [...new Set(stated.map(spelling))].toSorted().join(", ") || "Not stated";
}

const name = ({ group, name }) => (group && !name.startsWith("@") ? `${group}${group.startsWith("@") ? "/" : ":"}${name}` : name);

const byLicence = new Map();
for (const path of process.argv.slice(2)) {
  for (const component of JSON.parse(readFileSync(path, "utf8")).components) {
    if (component.group === "dev.parley") continue;
    const key = licence(component);
    byLicence.set(key, (byLicence.get(key) ?? new Set()).add(name(component)));
  }
}
const sections = [...byLicence]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([key, names]) => `\n## ${key}\n\n${[...names].toSorted().map((one) => `- ${one}\n`).join("")}`);
process.stdout.write(HEAD + sections.join(""));
