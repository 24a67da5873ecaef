import { createHash } from 'node:crypto'
import type { Db } from '@stoa/kit/db/database.ts'
import {
  type MailboxLookups,
  noEdits,
  problemText,
  runScripts,
  type SieveAction,
  type SieveEnvelope,
  type SieveEnvironment,
  type SieveMessage,
} from '../../formats/sieve/sieve.ts'
import { type Folder, findByPath, listFolders, listMetadata, splitPath } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import { findNamedScript, isRemembered } from './queries.ts'
import type { ReadyScript } from './scripts.ts'
import { roleOfUse } from './special-use.ts'

/** What a mailbox wants done with a message. */
export type FilterResult = {
  readonly actions: readonly SieveAction[]
  /** Why a script could not be run to its end, with its name; the message is kept then. */
  readonly error: string | null
  /** To be remembered when the message is delivered (RFC 7352 §3.1). */
  readonly seen: readonly SeenMark[]
}

export type SeenMark = { readonly hash: Buffer; readonly seconds: number; readonly isProlonged: boolean }

export type FilterInput = {
  readonly addressId: string
  readonly accountId: string
  readonly scripts: readonly ReadyScript[]
  readonly message: SieveMessage
  readonly envelope: SieveEnvelope
  readonly spamPercent: number | null
  readonly virusLevel: number | null
  readonly hostname: string
  readonly ip: string | null
  readonly helo: string | null
  readonly now: Date
}

const KEEP: SieveAction = { kind: 'keep', implicit: true, flags: null, edits: noEdits }

/** Runs the scripts of a mailbox on a message; nothing is changed by it. */
export const runFilters = async (db: Db<Tables>, input: FilterInput): Promise<FilterResult> => {
  if (input.scripts.length === 0) return { actions: [KEEP], error: null, seen: [] }
  // A script that does not compile ends the chain as one that fails while it runs.
  const broken = input.scripts.findIndex(({ script }) => script === null)
  const usable = broken === -1 ? input.scripts : input.scripts.slice(0, broken)
  const result = await runScripts(
    usable.flatMap(({ script }) => script ?? []),
    environmentOf(db, input),
  )
  const seen = result.seen.map(({ key, ...mark }) => ({ ...mark, hash: hashOf(key) }))
  if (result.error) {
    const name = usable[result.error.script]?.name ?? ''
    return { actions: result.actions, error: `${name}: ${problemText(result.error)}`, seen }
  }
  const bad = input.scripts[broken]
  if (!bad) return { actions: result.actions, error: null, seen }
  const isKept = result.actions.some(({ kind }) => kind === 'keep')
  return {
    actions: isKept ? result.actions : [...result.actions, KEEP],
    error: `${bad.name}: ${bad.problem ?? ''}`,
    seen,
  }
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

const environmentOf = (db: Db<Tables>, input: FilterInput): SieveEnvironment => {
  const { addressId, accountId, now } = input
  return {
    message: input.message,
    envelope: input.envelope,
    now,
    mailboxes: mailboxesOf(db, addressId),
    spamPercent: input.spamPercent,
    virusLevel: input.virusLevel,
    duplicate: (key) => isRemembered(db, { addressId, kind: 'duplicate', hash: hashOf(key), now }),
    script: (location, name) => findNamedScript(db, { addressId, accountId, name, isGlobal: location === 'global' }),
    item: (name) => itemOf(input, name),
  }
}

/** The version of the language, not of the release. */
const VERSION = '1'

/** RFC 5183 §4.1. */
const itemOf = ({ hostname, ip, helo }: FilterInput, name: string): string | null => {
  switch (name) {
    case 'domain':
      return hostname.slice(hostname.indexOf('.') + 1)
    case 'host':
      return hostname
    case 'location':
      return 'MDA'
    case 'phase':
      return 'during'
    case 'name':
      return 'Stoa'
    case 'version':
      return VERSION
    case 'remote-ip':
      return ip
    case 'remote-host':
      return helo
    default:
      return null
  }
}

const mailboxesOf = (db: Db<Tables>, addressId: string): MailboxLookups => {
  let known: Promise<Folder[]> | null = null
  const folders = () => {
    known ??= listFolders(db, addressId)
    return known
  }
  return {
    exists: async (name) => findByPath(await folders(), splitPath(name)) !== null,
    idExists: async (id) => (await folders()).some((folder) => folder.id === id),
    specialUseExists: async (mailbox, uses) => {
      const wanted = uses.map(roleOfUse)
      const all = await folders()
      const place = mailbox === null ? all : [findByPath(all, splitPath(mailbox))]
      return wanted.every((role) => role !== null && place.some((folder) => folder?.role === role))
    },
    metadata: async (mailbox, annotation) => {
      const folder = mailbox === null ? null : findByPath(await folders(), splitPath(mailbox))
      if (mailbox !== null && !folder) return null
      const entries = await listMetadata(db, { addressId, folderId: folder?.id ?? null, viewerId: null })
      return entries.find(({ name }) => name === annotation.toLowerCase())?.value.toString('utf8') ?? null
    },
  }
}
