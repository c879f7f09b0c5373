-- Budgets of an organization, an API key or a workflow (docs/decisions/0191). amount is in millionths of the currency or
-- in tokens. A key's budget also covers the keys that replace it.
CREATE TABLE budget (
    organization_id uuid        NOT NULL REFERENCES organization (id),
    id              integer     NOT NULL,
    scope           text        NOT NULL CHECK (scope IN ('ORGANIZATION', 'API_KEY', 'WORKFLOW')),
    scope_id        uuid,
    period          text        NOT NULL CHECK (period IN ('DAY', 'MONTH')),
    unit            text        NOT NULL CHECK (unit IN ('COST', 'TOKENS')),
    amount          bigint      NOT NULL CHECK (amount > 0),
    created_at      timestamptz NOT NULL,
    created_by      text        NOT NULL,
    updated_at      timestamptz NOT NULL,
    updated_by      text        NOT NULL,
    revision        integer     NOT NULL DEFAULT 1,
    PRIMARY KEY (organization_id, id),
    UNIQUE NULLS NOT DISTINCT (organization_id, scope, scope_id, period, unit),
    CHECK ((scope = 'ORGANIZATION') = (scope_id IS NULL))
);

-- The use of a budget in one period: the settled calls, and the estimates of those in flight. refused is the lowest
-- estimate of a call that the budget did not allow.
CREATE TABLE budget_period (
    organization_id uuid        NOT NULL,
    budget_id       integer     NOT NULL,
    starts_at       timestamptz NOT NULL,
    used            bigint      NOT NULL DEFAULT 0,
    reserved        bigint      NOT NULL DEFAULT 0,
    warned          boolean     NOT NULL DEFAULT false,
    refused         bigint,
    PRIMARY KEY (organization_id, budget_id, starts_at),
    FOREIGN KEY (organization_id, budget_id) REFERENCES budget (organization_id, id) ON DELETE CASCADE
) WITH (fillfactor = 50);

-- A call in flight, and what it has reserved in which periods. node_id is null once the reservation was released because
-- its node died; the row is kept for a day, so that a node that was only suspended still settles what it used.
CREATE TABLE budget_reservation (
    organization_id uuid          NOT NULL,
    id              uuid          NOT NULL,
    node_id         uuid,
    at              timestamptz   NOT NULL,
    budget_ids      integer[]     NOT NULL,
    starts_at       timestamptz[] NOT NULL,
    amounts         bigint[]      NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX budget_reservation_of_node ON budget_reservation (node_id);

-- Attempts of tasks that wait until a budget allows their next call, with its estimate.
CREATE TABLE budget_wait (
    organization_id      uuid        NOT NULL,
    workflow_instance_id uuid        NOT NULL,
    task_id              text        NOT NULL,
    attempt              integer     NOT NULL,
    workflow_id          uuid        NOT NULL,
    api_key_id           uuid,
    tokens               bigint      NOT NULL,
    cost_micros          bigint      NOT NULL,
    at                   timestamptz NOT NULL,
    PRIMARY KEY (organization_id, workflow_instance_id, task_id, attempt)
);

-- What models used per day, by everything that a report may group by.
CREATE TABLE model_usage_day (
    organization_id  uuid   NOT NULL REFERENCES organization (id),
    day              date   NOT NULL,
    model            text   NOT NULL,
    workflow_id      uuid,
    api_key_id       uuid,
    calls            bigint NOT NULL,
    input_tokens     bigint NOT NULL,
    cached_tokens    bigint NOT NULL,
    output_tokens    bigint NOT NULL,
    reasoning_tokens bigint NOT NULL,
    cost_micros      bigint NOT NULL,
    UNIQUE NULLS NOT DISTINCT (organization_id, day, model, workflow_id, api_key_id)
);

-- The key that started an instance, directly, by a message or by an instance above.
ALTER TABLE workflow_instance ADD COLUMN api_key_id uuid;
