-- One row per running process. A node owns work by its id until its lease expires. Deleting the row of an expired node
-- fences it: each write of a node's work first locks the node's row FOR KEY SHARE.
CREATE TABLE node (
    id          uuid PRIMARY KEY,
    name        text        NOT NULL,
    lease_until timestamptz NOT NULL,
    started_at  timestamptz NOT NULL DEFAULT now()
);

-- Values that all nodes share, such as the fingerprint of the secret.
CREATE TABLE shared_value (
    name  text PRIMARY KEY,
    value text NOT NULL
);
