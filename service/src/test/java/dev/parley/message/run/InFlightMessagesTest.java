package dev.parley.message.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationUsecase;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.message.NewMessage;
import dev.parley.message.PendingMessage;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InFlightMessagesTest {
    private final ConversationRef conversation = new ConversationRef(
            OrganizationId.next(), ConversationId.next(), ConversationUsecase.DEFAULT, null, null, null);
    private final NodeId owner = NodeId.next();
    private final List<MessageId> ids =
            IntStream.range(0, 4).mapToObj(_ -> MessageId.next()).toList();
    private final InFlightMessages messages = new InFlightMessages();

    @Test
    void aMessageInFlightHoldsBackThoseThatAreListedAfterIt() {
        MessageSubmission second = begin(1);
        messages.beginRead();
        assertThat(messages.settled(found(0, 2, 3))).isEqualTo(found(0));
        assertThat(messages.precede(ids.get(2))).isTrue();
        messages.remove(second);
        assertThat(messages.precede(ids.get(2))).isFalse();
        messages.beginRead();
        assertThat(messages.settled(found(1, 2, 3))).isEqualTo(found(1, 2, 3));
    }

    @Test
    void aMessageThatBeganOrEndedDuringTheReadHoldsBackToo() {
        MessageSubmission began = begin(1);
        messages.beginRead();
        messages.remove(began);
        assertThat(messages.settled(found(2))).isEmpty();
        messages.beginRead();
        messages.remove(begin(1));
        assertThat(messages.settled(found(2))).isEmpty();
        messages.beginRead();
        assertThat(messages.settled(found(2))).isEqualTo(found(2));
    }

    @Test
    void aMessageThatWasFoundOrIsListedLaterOrHasNoIdYetHoldsNothingBack() {
        begin(1);
        begin(3);
        messages.add(submission());
        messages.beginRead();
        assertThat(messages.settled(found(0, 1, 2))).isEqualTo(found(0, 1, 2));
    }

    private MessageSubmission begin(int number) {
        MessageSubmission submission = submission();
        submission.number(ids.get(number));
        messages.add(submission);
        return submission;
    }

    private MessageSubmission submission() {
        NewMessage message =
                NewMessage.userText(conversation.organization(), conversation.id(), "Hello", null, "system");
        return new MessageSubmission(message, Optional.empty(), false, Optional.empty());
    }

    private List<PendingMessage> found(int... numbers) {
        return IntStream.of(numbers).mapToObj(this::pending).toList();
    }

    private PendingMessage pending(int number) {
        return new PendingMessage(conversation, ids.get(number), owner, "TEXT", "Hello", null, null, false, null);
    }
}
