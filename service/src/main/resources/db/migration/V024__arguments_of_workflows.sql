-- The message and the files of a trigger are arguments of a workflow that uses them as system values
-- (docs/decisions/0149). The tools of workflows that were published before get them here.
WITH used AS (
    SELECT t.organization_id, t.id, i.input ->> 'name' AS name,
        bool_or(i.input ->> 'required' = 'true') AS required
    FROM tool t
    JOIN workflow w ON w.organization_id = t.organization_id AND replace(w.id::text, '-', '') = t.name
    JOIN workflow_version v ON v.organization_id = w.organization_id AND v.workflow_id = w.id
      AND v.version = w.published_version
    CROSS JOIN json_array_elements(v.document::json -> 'tasks') AS k (task)
    CROSS JOIN json_array_elements(CASE json_typeof(k.task -> 'input_parameters')
        WHEN 'array' THEN k.task -> 'input_parameters' ELSE '[]' END) AS i (input)
    WHERE t.provider_id = 2
      AND i.input ->> 'source' = 'system_generated'
      AND i.input ->> 'name' IN ('human_msg', 'file_urls')
      AND coalesce(i.input ->> 'data_source', 'MEMORY') = 'MEMORY'
      AND NOT EXISTS (
          SELECT FROM json_array_elements(CASE json_typeof(v.document::json -> 'connections')
              WHEN 'array' THEN v.document::json -> 'connections' ELSE '[]' END) AS c (connection)
          WHERE c.connection -> 'to' ->> 'task' = k.task ->> 'id'
            AND c.connection -> 'to' ->> 'input' = i.input ->> 'name')
    GROUP BY t.organization_id, t.id, i.input ->> 'name'
), arguments AS (
    SELECT organization_id, id,
        jsonb_object_agg(name, CASE name
            WHEN 'human_msg' THEN '{"type": "string", "description": "The message"}'::jsonb
            ELSE '{"type": "array", "items": {"type": "string"}, "description": "The files"}' END) AS properties,
        coalesce(jsonb_agg(name) FILTER (WHERE required), '[]') AS required
    FROM used GROUP BY organization_id, id
)
UPDATE tool t SET input_schema = (t.input_schema::jsonb || jsonb_build_object(
    'properties', a.properties || (t.input_schema::jsonb -> 'properties'),
    'required', coalesce((
        SELECT jsonb_agg(DISTINCT name)
        FROM jsonb_array_elements_text(t.input_schema::jsonb -> 'required' || a.required) AS r (name)), '[]')))::text
FROM arguments a
WHERE t.organization_id = a.organization_id AND t.id = a.id;
