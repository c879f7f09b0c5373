import { Table } from "@mantine/core";
import { memo, type MouseEvent } from "react";
import { Link } from "react-router";
import type { Schemas } from "../../api";
import { StatusLabel } from "../../components/StatusLabel";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { withFileNames } from "../../components/fileUris";
import { withoutMarks } from "../../components/markdownPreview";
import { formatDuration, Time } from "../../components/Time";
import type { MeasuredRow } from "../../components/VirtualRows";
import classes from "./runs.module.css";

interface Props extends MeasuredRow {
  run: Schemas["WorkflowInstanceSummary"];
  to: string;
  agent: string;
  startedBy: string;
  selected: boolean;
  onToggle: (id: string, event: MouseEvent<HTMLInputElement>) => void;
}

/** A row of the list of runs. Lists have many, so it uses plain elements and renders only when its run changes. */
export const RunRow = memo(function RunRow(props: Props) {
  const { ref, "data-index": index, run, to, agent, startedBy, selected, onToggle } = props;

  const id = run.workflow_instance_id;
  const input = run.input_preview ? withFileNames(withoutMarks(run.input_preview)) : undefined;
  return (
    <Table.Tr ref={ref} data-index={index} data-selected={selected || undefined} className={classes.run}>
      <Table.Td>
        <input
          type="checkbox"
          className={classes.checkbox}
          aria-label={`Select ${id}`}
          checked={selected}
          onChange={() => undefined}
          onClick={(event) => onToggle(id, event)}
        />
      </Table.Td>
      <Table.Td className={classes.name}>
        <Link className="rowLink" to={to}>
          {agent}
        </Link>
        {run.test_run && <span className={classes.mark}>Test</span>}
        {run.rerun_of && (
          <span
            className={classes.mark}
            title={run.rerun_of.from_task ? `From task ${run.rerun_of.from_task}` : undefined}
          >
            Rerun
          </span>
        )}
        <div className={classes.preview} title={input}>
          {input || `No input · …${id.slice(-8)}`}
        </div>
        {run.error_preview && (
          <div className={classes.error} title={run.error_preview}>
            {run.error_preview}
          </div>
        )}
      </Table.Td>
      <Table.Td>
        <StatusLabel status={run.status} />
      </Table.Td>
      <Table.Td data-label="Version">{run.workflow_version === 0 ? "Draft" : run.workflow_version}</Table.Td>
      <Table.Td data-label="By" className={classes.startedBy} title={startedBy}>
        {startedBy}
      </Table.Td>
      <Table.Td className={classes.nowrap}>
        <Time at={run.created_at} relative />
      </Table.Td>
      <Table.Td data-label="Duration" className={`number ${classes.nowrap}`}>
        {run.finished_at ? formatDuration(Date.parse(run.finished_at) - Date.parse(run.created_at)) : "–"}
      </Table.Td>
      <Table.Td data-label="Tokens" className="number">
        {formatCount(run.input_tokens + run.output_tokens)}
        {run.cost_micros > 0 && <div className={classes.cost}>{formatCost(run.cost_micros)}</div>}
      </Table.Td>
    </Table.Tr>
  );
});
