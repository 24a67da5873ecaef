import { newId } from '@stoa/kit/ids.ts'
import {
  compileScript,
  defaultLimits,
  extensionsOf,
  problemsText,
  standardLanguage,
} from '../../formats/sieve/sieve.ts'
import { type MailDb, type MailTx, recordObjectChanges } from '../../store/store.ts'
import {
  type ClientScriptRow,
  deleteClientScript,
  findClientScript,
  findClientScripts,
  insertClientScript,
  setActiveScript,
  updateClientScript,
} from './client-scripts-queries.ts'

/** A script that a mail program keeps here (ManageSieve, JMAP). At most one of a mailbox is active. */
export type ClientScript = ClientScriptRow

/** Bytes of a script, and how many scripts a mailbox may have. */
export const MAX_SCRIPT_BYTES = defaultLimits.scriptLength
export const MAX_SCRIPTS = 32
/** RFC 5804 §1.6 and RFC 9661 §1.2.1 ask for as much. */
export const MAX_NAME_BYTES = 512

export type ScriptRefusalKind =
  | 'no_such_script'
  | 'script_exists'
  | 'script_active'
  | 'bad_name'
  | 'bad_script'
  | 'too_large'
  | 'too_many'

/** Why a script is not changed; each door maps these in one exhaustive table. The transaction must be given up. */
export class ScriptRefusal extends Error {
  readonly kind: ScriptRefusalKind
  /** The other script of that name. */
  readonly existingId: string | null

  constructor(kind: ScriptRefusalKind, message: string, existingId: string | null = null) {
    super(message)
    this.name = 'ScriptRefusal'
    this.kind = kind
    this.existingId = existingId
  }
}

export const refuseScript = (kind: ScriptRefusalKind, message: string, existingId: string | null = null): never => {
  throw new ScriptRefusal(kind, message, existingId)
}

/** The scripts of a mailbox by name, without their text. */
export const listScripts = (db: MailDb, addressId: string): Promise<ClientScript[]> => findClientScripts(db, addressId)

/** A script with its text; null if the mailbox has none of that id. */
export const readScript = (
  db: MailDb,
  addressId: string,
  scriptId: string,
): Promise<(ClientScript & { source: string }) | null> => findClientScript(db, addressId, scriptId)

/** The text of a script from its bytes, if it is one that can be kept: `too_large`, or `bad_script` with line and column. */
export const checkScript = (bytes: Buffer): string => {
  if (bytes.length > MAX_SCRIPT_BYTES) refuseScript('too_large', `A script can have up to ${MAX_SCRIPT_BYTES} bytes.`)
  const source = decode(bytes)
  const { problems } = compileScript(source, standardLanguage)
  if (problems.length > 0) refuseScript('bad_script', problemsText(problems))
  return source
}

/** `bad_name` for what RFC 5804 §1.6 does not allow; otherwise the name in its one form. */
export const checkScriptName = (given: string): string => {
  const name = given.normalize('NFC')
  const isGood =
    name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES && name.isWellFormed() && !UNPRINTABLE.test(name)
  return isGood
    ? name
    : refuseScript(
        'bad_name',
        `A name must have 1 to ${MAX_NAME_BYTES} bytes, without control characters or line breaks.`,
      )
}

/** Adds a script whose text was checked; it is not active. */
export const createScript = async (
  tx: MailTx,
  { addressId, name, source, now }: { addressId: string; name: string; source: string; now: Date },
): Promise<{ id: string }> => {
  const others = await lockScripts(tx, addressId)
  refuseDouble(others, name)
  if (others.length >= MAX_SCRIPTS) refuseScript('too_many', `A mailbox can have up to ${MAX_SCRIPTS} scripts.`)
  const id = newId()
  await insertClientScript(tx, { id, addressId, name, source, extensions: extensionsOf(source), now })
  await note(tx, addressId, [id], 'created')
  return { id }
}

/** Gives a script another name or text; an active one stays active. */
export const updateScript = async (
  tx: MailTx,
  change: { addressId: string; id: string; name?: string; source?: string; now: Date },
): Promise<void> => {
  const { addressId, id, name, source, now } = change
  const all = await lockScripts(tx, addressId)
  if (!all.some((script) => script.id === id)) noSuchScript()
  if (name !== undefined)
    refuseDouble(
      all.filter((script) => script.id !== id),
      name,
    )
  const content = source === undefined ? null : { source, extensions: extensionsOf(source) }
  await updateClientScript(tx, { addressId, id, name: name ?? null, content, now })
  await note(tx, addressId, [id], 'updated')
}

/** PUTSCRIPT: the script of that name gets this text, or is made. */
export const putScript = async (
  tx: MailTx,
  script: { addressId: string; name: string; source: string; now: Date },
): Promise<void> => {
  const known = (await lockScripts(tx, script.addressId)).find(({ name }) => name === script.name)
  if (known) {
    const { addressId, source, now } = script
    await updateScript(tx, { addressId, id: known.id, source, now })
  } else await createScript(tx, script)
}

/** Makes a script the active one, or none. Gives those that were changed. */
export const activateScript = async (
  tx: MailTx,
  addressId: string,
  id: string | null,
): Promise<{ activated: string | null; deactivated: string | null }> => {
  const all = await lockScripts(tx, addressId)
  if (id !== null && !all.some((script) => script.id === id)) noSuchScript()
  const before = all.find(({ isActive }) => isActive)?.id ?? null
  if (before === id) return { activated: null, deactivated: null }
  await setActiveScript(tx, addressId, id)
  await note(
    tx,
    addressId,
    [before, id].flatMap((changed) => changed ?? []),
    'updated',
  )
  return { activated: id, deactivated: before }
}

/** The active script has to be made inactive first (RFC 5804 §2.10). */
export const deleteScript = async (tx: MailTx, addressId: string, id: string): Promise<void> => {
  const script = (await lockScripts(tx, addressId)).find((candidate) => candidate.id === id) ?? noSuchScript()
  if (script.isActive) refuseScript('script_active', "The active script can't be deleted. Deactivate it first.")
  await deleteClientScript(tx, addressId, id)
  await note(tx, addressId, [id], 'destroyed')
}

/** Whether there would be room for a script of that name and size; throws as the ones above do. */
export const checkSpace = async (
  db: MailDb,
  { addressId, name, size }: { addressId: string; name: string; size: number },
): Promise<void> => {
  if (size > MAX_SCRIPT_BYTES) refuseScript('too_large', `A script can have up to ${MAX_SCRIPT_BYTES} bytes.`)
  const all = await findClientScripts(db, addressId)
  if (all.length >= MAX_SCRIPTS && !all.some((script) => script.name === name))
    refuseScript('too_many', `A mailbox can have up to ${MAX_SCRIPTS} scripts.`)
}

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u

/** RFC 5228 §2.1: UTF-8, in which PostgreSQL keeps no NUL. */
const decode = (bytes: Buffer): string => {
  try {
    const source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return source.includes('\0')
      ? refuseScript('bad_script', "line 1, column 1: a script can't contain a NUL character")
      : source
  } catch (error) {
    if (error instanceof ScriptRefusal) throw error
    return refuseScript('bad_script', 'line 1, column 1: a script must be UTF-8')
  }
}

/** Locks the scripts of the mailbox until the transaction ends. */
const lockScripts = async (tx: MailTx, addressId: string): Promise<ClientScript[]> => {
  await recordObjectChanges(tx, addressId, [])
  return findClientScripts(tx, addressId)
}

const refuseDouble = (others: readonly ClientScript[], name: string): void => {
  const same = others.find((script) => script.name === name)
  if (same) refuseScript('script_exists', 'A script with this name already exists.', same.id)
}

const noSuchScript = (): never => refuseScript('no_such_script', "This script doesn't exist.")

const note = async (
  tx: MailTx,
  addressId: string,
  ids: readonly string[],
  op: 'created' | 'updated' | 'destroyed',
): Promise<void> => {
  await recordObjectChanges(
    tx,
    addressId,
    ids.map((objectId) => ({ kind: 'script', objectId, op })),
  )
}
