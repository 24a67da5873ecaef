const COUNT = /^\(\d[\d.,\u00a0\u202f]*\+?\) /
const MAX_SHOWN = 999

/** `(3) Inbox`: the title of a screen with how many messages wait. */
export const titleWith = (title: string, unread: number): string => {
  const bare = title.replace(COUNT, '')
  return unread === 0 ? bare : `(${unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}) ${bare}`
}

/** Keeps the count before whatever title a screen gives itself, until it is called off. */
export const keepCountInTitle = (unread: number): (() => void) => {
  const apply = () => {
    const wanted = titleWith(document.title, unread)
    if (document.title !== wanted) document.title = wanted
  }
  apply()
  const observer = new MutationObserver(apply)
  observer.observe(document.head, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}

/** The number on the icon of an installed app, where the system can show one. */
export const showBadge = (unread: number): void => {
  if (!('setAppBadge' in navigator)) return
  // A browser may know it and yet refuse: then there is no badge
  void (unread === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(unread)).catch(() => undefined)
}
