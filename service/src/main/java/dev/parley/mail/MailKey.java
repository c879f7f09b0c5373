package dev.parley.mail;

import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;

/** A mail of an organization. */
public record MailKey(OrganizationId organization, MailId id) {}
