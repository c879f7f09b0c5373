import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

const CLIENT = "parley";
const SECRET = "a secret of the tests";

/**
 * An OpenID Connect provider for the service under test. It accepts any account name with any password; the account
 * "unverified" has an unverified email address.
 */
export async function startProvider() {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    settings: {
      PARLEY_OIDC_ISSUER: issuer,
      PARLEY_OIDC_CLIENT_ID: CLIENT,
      PARLEY_OIDC_CLIENT_SECRET: SECRET,
      PARLEY_OIDC_NAME: "Acme ID",
    },
    /** Starts to serve requests once the URL of the service is known. */
    serve: (service: string) => server.on("request", provider(issuer, service).callback()),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function provider(issuer: string, service: string): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        client_secret: SECRET,
        redirect_uris: [`${service}/dashboard/api/oidc/callback`],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    // Put the email address into the ID token, as most providers do.
    conformIdTokenClaims: false,
    cookies: { keys: ["a key of the tests"] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: id,
        email: `${id}@parley.example`,
        email_verified: id !== "unverified",
      }),
    }),
  });
}
