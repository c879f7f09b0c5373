package dev.parley.settings;

/** A setting with which the service refuses to start; the message is one sentence that names it. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SettingsException(Setting setting, String sentence) {
        super(setting.name() + " " + sentence);
    }

    public SettingsException(String sentence) {
        super(sentence);
    }
}
