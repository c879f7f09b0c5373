/** The dashboard's keys in sessionStorage and localStorage. */
const PREFIX = "parley.";
const TAB_USER = "parley.user";

/** Keys that contain the ID of their user. All other keys belong to the signed-in user. */
const OWNED = /^parley\.(?:draft:|(?:run|conversation)-views\.)([^:.]+)/;

type Store = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

/** Binds the tab to a user: removes what another user left in it. */
export function claimTab(tab: Store, userId: string) {
  if (tab.getItem(TAB_USER) !== userId) {
    remove(tab, () => true);
    tab.setItem(TAB_USER, userId);
  }
}

/** Removes the data of a user who signs out. Drafts that other users have not sent yet stay. */
export function removeLocalData(tab: Store, browser: Store, userId: string) {
  remove(tab, () => true);
  remove(browser, (key) => (OWNED.exec(key)?.[1] ?? userId) === userId);
}

/** Removes from this browser what it keeps of a user who signs out. */
export function forgetUser(userId: string) {
  try {
    removeLocalData(sessionStorage, localStorage, userId);
  } catch {
    // Storage is disabled, and so holds nothing.
  }
}

function remove(store: Store, matches: (key: string) => boolean) {
  Array.from({ length: store.length }, (_, index) => store.key(index) ?? "")
    .filter((key) => key.startsWith(PREFIX) && matches(key))
    .forEach((key) => store.removeItem(key));
}
