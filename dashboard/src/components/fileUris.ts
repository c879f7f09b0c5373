/** The download URL of s3://bucket/path, where the path starts with the organization ID; null for other texts. */
export function fileUrl(uri: string): string | null {
  const [, path, orgId] = /^s3:\/\/[^/\s]+\/(([0-9a-f]{32})\/\S.*)$/.exec(uri) ?? [];
  return path && orgId && !path.split("/").includes("..")
    ? `/dashboard/api/organizations/${orgId}/media/files/${path.split("/").map(encodeURIComponent).join("/")}`
    : null;
}

/** The original name of a stored file, without the time in front of it. */
export function fileName(uri: string): string {
  return uri.slice(uri.lastIndexOf("/") + 1).replace(/^\d{8}_\d{6}_(?=.)/, "");
}

/** A text with the original names of stored files instead of their URIs and stored names, for previews. */
export const withFileNames = (text: string): string =>
  text.replaceAll(/s3:\/\/[^\s"]*\/([^\s"/]+)/g, "$1").replaceAll(/(?<![\w/-])\d{8}_\d{6}_(?=[^\s_])/g, "");
