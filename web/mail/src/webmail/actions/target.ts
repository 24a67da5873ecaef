/** `MessagesFilter` as JSON, for an action on all messages of a search. */
export type MessageFilterJson = {
  folder_id?: string
  search?: string
  unread?: boolean
  flagged?: boolean
  has_attachments?: boolean
  from?: string
  to?: string
  since?: string
  before?: string
}

/** The messages of an action: by their ids, or all that a search finds. */
export type Target = { ids: readonly string[] } | { query: MessageFilterJson; total: number }

/** How many messages an action is about. */
export const targetCount = (target: Target): number => ('ids' in target ? target.ids.length : target.total)

/** The service takes so many ids at once. */
const MAX_IDS = 500

/** The bodies of the requests that an action on these needs. */
export const targetBodies = (target: Target): ({ message_ids: readonly string[] } | { query: MessageFilterJson })[] => {
  if ('query' in target) return [{ query: target.query }]
  const count = Math.ceil(target.ids.length / MAX_IDS)
  return Array.from({ length: count }, (_, part) => ({
    message_ids: target.ids.slice(part * MAX_IDS, (part + 1) * MAX_IDS),
  }))
}
