package dev.parley.event;

/** Port: receives the PostgreSQL notifications of a channel that any node sends, itself included. Some may be lost. */
public interface NotificationListener {
    String channel();

    /** Called by the thread that reads all notifications; must not block. */
    void onNotification(String payload);
}
