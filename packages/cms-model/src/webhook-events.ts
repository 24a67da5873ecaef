/** The groups in which people choose events, in the order of the screen. */
export const webhookEventGroups = [
  'Entries',
  'Media',
  'Content types',
  'Social posts',
  'Menus',
  'Taxonomies',
  'Settings',
  'Design',
] as const

export type WebhookEventDefinition = {
  /** Null: it cannot be chosen, only sent as a test. */
  readonly group: (typeof webhookEventGroups)[number] | null
  /** What the screen calls it inside its group. */
  readonly label: string
  /** When it is sent, as the documentation says it. */
  readonly when: string
}

/**
 * Every event: what the routes and plugins accept, the settings offer and the documentation lists comes from here. Names
 * are past tense, and never renamed. All have the same body, which `eventBody` of the service writes.
 */
export const webhookEvents = {
  'entry.created': { group: 'Entries', label: 'Created', when: 'An entry was created' },
  'entry.updated': { group: 'Entries', label: 'Updated', when: 'An entry was saved, live or not' },
  'entry.published': {
    group: 'Entries',
    label: 'Published',
    when: 'An entry went live, or a live entry was changed',
  },
  'entry.unpublished': { group: 'Entries', label: 'Unpublished', when: 'An entry was taken offline' },
  'entry.deleted': { group: 'Entries', label: 'Deleted', when: 'An entry was moved to the trash' },
  'entry.restored': { group: 'Entries', label: 'Restored', when: 'An entry was restored from the trash' },
  'entry.scheduled': {
    group: 'Entries',
    label: 'Scheduled',
    when: 'An entry was scheduled to be published or unpublished',
  },
  'media.created': { group: 'Media', label: 'Created', when: 'A file was uploaded' },
  'media.updated': { group: 'Media', label: 'Updated', when: 'A file was replaced, or its details were changed' },
  'media.deleted': { group: 'Media', label: 'Deleted', when: 'A file was deleted' },
  'menu.updated': { group: 'Menus', label: 'Updated', when: 'A menu was created or changed' },
  'menu.deleted': { group: 'Menus', label: 'Deleted', when: 'A menu was deleted' },
  'settings.updated': { group: 'Settings', label: 'Updated', when: 'The site settings were changed' },
  'design.updated': { group: 'Design', label: 'Updated', when: 'The design of the site was changed' },
  'type.created': { group: 'Content types', label: 'Created', when: 'A content type was created' },
  'type.updated': { group: 'Content types', label: 'Updated', when: 'A content type was changed' },
  'type.deleted': { group: 'Content types', label: 'Deleted', when: 'A content type was deleted' },
  'taxonomy.updated': {
    group: 'Taxonomies',
    label: 'Updated',
    when: 'A taxonomy or one of its terms was created, changed or deleted',
  },
  'social.post.posted': {
    group: 'Social posts',
    label: 'Posted',
    when: 'A social post went out on all of its networks',
  },
  'social.post.partial': {
    group: 'Social posts',
    label: 'Partial',
    when: 'A social post went out on some of its networks',
  },
  'social.post.failed': { group: 'Social posts', label: 'Failed', when: 'A social post went out on no network' },
  'webhook.test': { group: null, label: 'Test', when: 'Someone sent a test event' },
} as const satisfies Readonly<Record<string, WebhookEventDefinition>>

export type WebhookEvent = keyof typeof webhookEvents

// Keys of what was written down above, and nothing else.
export const webhookEventNames = Object.keys(webhookEvents) as WebhookEvent[]

/** Events of entries. */
export type EntryEvent = Extract<WebhookEvent, `entry.${string}`>
