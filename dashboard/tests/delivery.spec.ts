import { expect, expectWithinBudget, scriptsOf, service, test } from "./parley";

test("pages have a strict content security policy and correct cache headers", async ({ request }) => {
  const page = await request.get(`${service.url}/organizations/x/api-access`);
  expect(page.status()).toBe(200);
  expect(page.headers()["content-type"]).toContain("text/html");
  expect(page.headers()["cache-control"]).toBe("no-cache");
  const policy = page.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain("unsafe-eval");
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
  const asset = await request.get(`${service.url}${script}`);
  expect(asset.headers()["cache-control"]).toContain("immutable");
  const etag = page.headers().etag ?? "";
  const again = await request.get(`${service.url}/`, { headers: { "If-None-Match": etag } });
  expect(again.status()).toBe(304);
  expect((await request.get(`${service.url}/assets/nothing.js`)).status()).toBe(404);
});

test("sign-in loads less than 300 KB of compressed script", async ({ page }) => {
  const scripts = scriptsOf(page);
  await page.goto(`${service.url}/sign-in`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expectWithinBudget(scripts);
});

test("the OpenAPI document and its pages are compressed and cached", async ({ request }) => {
  for (const path of ["/openapi.json", "/docs/", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css"]) {
    const answer = await request.get(`${service.url}${path}`, { headers: { "Accept-Encoding": "gzip" } });
    expect(answer.status()).toBe(200);
    expect(answer.headers()["content-encoding"]).toBe("gzip");
    expect(answer.headers().vary).toBe("Accept-Encoding");
    const etag = answer.headers().etag ?? "";
    const again = await request.get(`${service.url}${path}`, { headers: { "If-None-Match": etag } });
    expect(again.status()).toBe(304);
    expect((await request.put(`${service.url}${path}`)).status()).toBe(405);
  }
});
