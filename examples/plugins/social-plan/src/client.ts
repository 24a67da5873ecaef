import type { Reader } from './read-body.ts'

export type ClientText = { name: string; colour: string; contact: string; note: string; accountIds: string[] }

/** `linkHash` is the SHA-256 of the token in the client's link: the token itself is kept nowhere. */
export type Client = ClientText & { linkHash: string | null; linkAt: string | null }

export const colours = ['blue', 'green', 'amber', 'red', 'purple', 'teal', 'pink', 'grey'] as const

export const readClient = (read: Reader): Partial<ClientText> => ({
  ...read.text('name', { max: 100, isRequired: true }),
  ...read.choice('colour', colours),
  ...read.text('contact', { max: 200 }),
  ...read.text('note', { max: 5_000 }),
  ...read.ids('accountIds', 50),
})

export const newClient = (text: Partial<ClientText>): Client => ({
  name: '',
  colour: 'blue',
  contact: '',
  note: '',
  accountIds: [],
  ...text,
  linkHash: null,
  linkAt: null,
})

/** A client as people of the team see it. */
export type ShownClient = ClientText & { id: string; linkAt: string | null }

export const shownClient = (id: string, { linkHash: _hash, ...client }: Client): ShownClient => ({ id, ...client })
