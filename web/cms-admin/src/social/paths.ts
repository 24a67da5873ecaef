export const SOCIAL_PATH = '/social'
export const CALENDAR_PATH = '/social/calendar'
export const POSTS_PATH = '/social/posts'
export const NEW_POST_PATH = '/social/posts/new'
export const ACCOUNTS_PATH = '/social/accounts'
export const APPS_PATH = '/social/settings'

export const postPath = (id: string): string => `${POSTS_PATH}/${encodeURIComponent(id)}`
export const editPath = (id: string): string => `${postPath(id)}/edit`
export const appPath = (network: string): string => `${APPS_PATH}/${encodeURIComponent(network)}`
/** The composer with what an entry says of itself. */
export const sharePath = (entryId: string): string => `${NEW_POST_PATH}?entry=${encodeURIComponent(entryId)}`
