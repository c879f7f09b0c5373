-- One row for each running process of the service. A node's work is found by its id; whoever deletes the row of a node
-- whose lease ran out has fenced it: every write of that node's work first locks its row FOR KEY SHARE.
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
