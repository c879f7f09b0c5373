import {
  BaseEdge,
  EdgeLabelRenderer,
  getBezierPath,
  useStore,
  type Edge,
  type EdgeProps,
} from "@xyflow/react";
import { Flex } from "@mantine/core";
import { IconArrowsSplit2, IconPlus, IconX } from "@tabler/icons-react";
import { createContext, useContext, type ComponentProps } from "react";
import { IconButton } from "../components/IconButton";
import { routePath, type EdgeRoute } from "./edgeRoutes";
import { clearHoveredEdge, enterEdge, leaveEdge, useShowsButtons } from "./hoveredEdge";
import { READABLE_ZOOM } from "./layout";

export type FlowEdgeData = {
  /** The route around tasks; without one, the edge is a curve. */
  route?: EdgeRoute;
  /** Whether the edge leads to a task with a condition. */
  conditional?: boolean;
};

/** What the buttons on the edges do; null without buttons. */
export const EdgeActionsContext = createContext<{
  onInsert: (edgeId: string) => void;
  onCondition: (edgeId: string, at: { x: number; y: number }) => void;
  onDelete: (edgeId: string) => void;
} | null>(null);

const EdgeButton = (button: ComponentProps<typeof IconButton>) => (
  <IconButton variant="default" size={29} radius="xl" {...button} />
);

/** An edge with buttons to insert a task, to add a condition and to delete it, while it is hovered or selected. */
export function FlowEdge(props: EdgeProps<Edge<FlowEdgeData>>) {
  const { id, data, selected, interactionWidth = 24, ...ends } = props;
  const actions = useContext(EdgeActionsContext);
  const showsButtons = useShowsButtons(id, selected ?? false);
  // The buttons keep a size of 24 px when the graph is small.
  const scale = useStore(({ transform: [, , zoom] }) => Math.max(1, READABLE_ZOOM / zoom));
  const events = { onMouseEnter: () => enterEdge(id), onMouseLeave: () => leaveEdge(id) };
  const [path, x, y] = data?.route ? routePath(ends, data.route) : getBezierPath(ends);
  return (
    <g {...events}>
      <BaseEdge
        id={id}
        path={path}
        style={props.style}
        markerEnd={props.markerEnd}
        interactionWidth={interactionWidth}
      />
      {actions && showsButtons && (
        <EdgeLabelRenderer>
          <Flex
            gap={4}
            // A column fits between two tasks side by side, a row between two rows of tasks.
            direction={data?.route ? "row" : "column"}
            className="nodrag nopan"
            style={{
              position: "absolute",
              transform: `translate(-50%, -50%) translate(${x}px, ${y}px) scale(${scale})`,
              pointerEvents: "all",
              zIndex: 1,
            }}
            {...events}
            // A click on the edge selects it instead of the task that a button opens.
            onClick={(event) => event.stopPropagation()}
          >
            <EdgeButton
              icon={IconPlus}
              label="Insert a task here"
              onClick={() => {
                clearHoveredEdge();
                actions.onInsert(id);
              }}
            />
            <EdgeButton
              icon={IconArrowsSplit2}
              label={data?.conditional ? "Change condition" : "Add condition"}
              title={data?.conditional ? "Change condition" : "Add condition"}
              onClick={(event) => {
                const { left, bottom } = event.currentTarget.getBoundingClientRect();
                actions.onCondition(id, { x: left, y: bottom });
              }}
            />
            <EdgeButton
              icon={IconX}
              label="Delete connection"
              onClick={() => {
                clearHoveredEdge();
                actions.onDelete(id);
              }}
            />
          </Flex>
        </EdgeLabelRenderer>
      )}
    </g>
  );
}
