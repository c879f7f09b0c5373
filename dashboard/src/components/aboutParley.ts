/** What Parley is, in one sentence. */
export const ABOUT_PARLEY =
  "Parley runs agents that combine AI models, tools, code and people, and lets you chat with them.";
