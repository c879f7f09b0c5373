import { Popover, Textarea } from "@mantine/core";
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type Ref } from "react";
import { useMergedRef } from "@mantine/hooks";
import { useMe, useMembers, type Schemas } from "../../api";
import { DimmedXs, Dimmed } from "../../components/variants";
import {
  completeMention,
  matchingPeople,
  membersWhoSee,
  typedMention,
  type MentionedPerson,
  type TypedMention,
} from "./mentions";
import classes from "./tickets.module.css";

const MAX_OFFERED = 8;

interface Props {
  ticket: Schemas["TicketDetails"];
  text: string;
  setText: (text: string) => void;
  error: string | undefined;
  fieldRef: Ref<HTMLTextAreaElement>;
  onMention: (person: MentionedPerson) => void;
  onSubmitKey: (event: KeyboardEvent) => void;
}

/** The text of a comment. Typing "@" offers the people who may see the ticket. */
export function CommentField({ fieldRef, onSubmitKey, ...props }: Props) {
  const { text, setText, error } = props;
  const { ref, people, isUnknown, active, track, choose, close, onMentionKey } = useMentionPicker(props);
  const listId = useId();
  const opened = people.length > 0 || isUnknown;
  return (
    <Popover
      opened={opened}
      width="target"
      position="bottom-start"
      shadow="md"
      withRoles={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Textarea
          id="ticket-comment"
          ref={useMergedRef(ref, fieldRef)}
          label="Comment"
          autosize
          minRows={2}
          value={text}
          error={error}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={opened ? listId : undefined}
          aria-activedescendant={opened ? `${listId}-${active}` : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value);
            track(event.currentTarget);
          }}
          onSelect={(event) => track(event.currentTarget)}
          onBlur={close}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              onSubmitKey(event);
            } else {
              onMentionKey(event);
            }
          }}
        />
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <div role="listbox" id={listId} aria-label="People to mention">
          {people.map((person, index) => (
            <div
              key={person.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={classes.person}
              onMouseDown={(event) => {
                // The field keeps the focus.
                event.preventDefault();
                choose(person);
              }}
            >
              {person.name} <DimmedXs span>{person.email}</DimmedXs>
            </div>
          ))}
        </div>
        {isUnknown && (
          <Dimmed px={8} py={4} role="status">
            Nobody with this name can see the ticket, so nobody gets an email.
          </Dimmed>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The people that match the mention at the caret, and the keys that choose one of them. */
function useMentionPicker(props: Pick<Props, "ticket" | "text" | "setText" | "onMention">) {
  const { ticket, text, setText, onMention } = props;
  const { data: members = [] } = useMembers();
  const { data: me } = useMe();
  const ref = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<TypedMention | null>(null);
  /** The "@" for which the list was closed or a person chosen. */
  const [doneAt, setDoneAt] = useState<number | null>(null);
  const [chosenIndex, setChosenIndex] = useState(0);
  const caretAfterChoice = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caretAfterChoice.current !== null) {
      ref.current?.setSelectionRange(caretAfterChoice.current, caretAfterChoice.current);
      caretAfterChoice.current = null;
    }
  }, [text]);
  const others = membersWhoSee(members, ticket).filter(({ id }) => id !== me?.id);
  const people =
    typed && typed.start !== doneAt ? matchingPeople(others, typed.query).slice(0, MAX_OFFERED) : [];
  const isUnknown =
    people.length === 0 && typed !== null && typed.start !== doneAt && /^\S+$/.test(typed.query);
  const active = Math.min(chosenIndex, people.length - 1);
  const track = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    const found = selectionStart === selectionEnd ? typedMention(value, selectionStart) : null;
    if (found?.start !== typed?.start || found?.query !== typed?.query) {
      setTyped(found);
      setChosenIndex(0);
      setDoneAt((before) => (found?.start === before ? before : null));
    }
  };
  const choose = (person: MentionedPerson) => {
    if (typed) {
      const completed = completeMention(text, typed, person.name);
      setText(completed.text);
      caretAfterChoice.current = completed.caret;
      setDoneAt(typed.start);
      onMention(person);
    }
  };
  const onMentionKey = (event: KeyboardEvent) => {
    const person = people[active];
    if (!person || event.nativeEvent.isComposing) {
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: people.length - 1 }[event.key];
    if (step !== undefined) {
      setChosenIndex((active + step) % people.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      choose(person);
    } else if (event.key === "Escape" && typed) {
      setDoneAt(typed.start);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return { ref, people, isUnknown, active, track, choose, close: () => setTyped(null), onMentionKey };
}
