import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { changeVacation, readVacation, type Vacation } from '../../../sending/vacation/vacation.ts'
import { type Args, CAPABILITIES, type JmapCall, type JmapMethod } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { parseUtcDate, utcDate } from '../standard/arguments.ts'
import { getAnswer, readGet } from '../standard/get.ts'
import { applyPatch } from '../standard/patch.ts'
import { readSet, runSet, setAnswer } from '../standard/set.ts'
import { stateOf } from '../standard/state.ts'

const SINGLETON = 'singleton'
const PROPERTIES = ['id', 'isEnabled', 'fromDate', 'toDate', 'subject', 'textBody', 'htmlBody']
const MAX_SUBJECT = 500
/** The same limit as a script's: the text is in memory, and is sent to everybody who writes. */
const MAX_BODY = 65_536

/** RFC 8621 §8. */
const toObject = ({ isEnabled, fromDate, toDate, subject, textBody, htmlBody }: Vacation): Args => ({
  id: SINGLETON,
  isEnabled,
  fromDate: fromDate && utcDate(fromDate),
  toDate: toDate && utcDate(toDate),
  subject,
  textBody,
  htmlBody,
})

const getVacation = async (call: JmapCall, args: Args): Promise<Args> => {
  const { db } = call.parts.database
  const request = await readGet(call, args, { defaults: PROPERTIES })
  const { addressId } = request.access
  const state = await stateOf(db, addressId)
  const objects = new Map([[SINGLETON, toObject(await readVacation(db, addressId))]])
  return getAnswer(request, { state, objects })
}

const setVacation = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readSet(call, args, { wants: 'write' })
  const outcome = await runSet(call, request, {
    create: async () => failSingleton(),
    update: (id, patch) => update(call, request.access, id, patch),
    destroy: async (id) => (id === SINGLETON ? failSingleton() : failSet('notFound')),
  })
  return setAnswer(request, await stateOf(call.parts.database.db, request.access.addressId), outcome)
}

const failSingleton = (): never => failSet('singleton', 'There is exactly one vacation response. Update it instead.')

const update = async (call: JmapCall, { addressId }: MailboxAccess, id: string, patch: Args): Promise<null> => {
  if (id !== SINGLETON) return failSet('notFound', 'The vacation response has the id "singleton".')
  const { database, clock } = call.parts
  await database.tx(async (tx) => {
    const after = applyPatch(toObject(await readVacation(tx, addressId)), patch)
    const wrong = Object.keys(after).filter((name) => !PROPERTIES.includes(name))
    if (wrong.length > 0 || after.id !== SINGLETON)
      failProperties(wrong.length > 0 ? wrong : ['id'], 'Unknown properties.')
    await changeVacation(tx, { addressId, change: readChange(after), now: clock.now() })
  })
  return null
}

const readChange = (object: Args): Vacation => ({
  isEnabled: readFlag(object),
  fromDate: readDate(object, 'fromDate'),
  toDate: readDate(object, 'toDate'),
  subject: readText(object, 'subject', MAX_SUBJECT),
  textBody: readText(object, 'textBody', MAX_BODY),
  htmlBody: readText(object, 'htmlBody', MAX_BODY),
})

const readFlag = ({ isEnabled }: Args): boolean =>
  typeof isEnabled === 'boolean' ? isEnabled : failProperties(['isEnabled'], '"isEnabled" must be true or false.')

const readDate = (object: Args, name: string): Date | null => {
  const value = object[name] ?? null
  if (value === null) return null
  return parseUtcDate(value) ?? failProperties([name], `"${name}" must be null or a date in UTC.`)
}

const readText = (object: Args, name: string, max: number): string | null => {
  const value = object[name] ?? null
  if (value === null || (typeof value === 'string' && value.length <= max)) return value
  return failProperties([name], `"${name}" must be null or a string of at most ${max} characters.`)
}

const capability = CAPABILITIES.vacation

/** VacationResponse (RFC 8621 §8). */
export const vacationMethods: readonly JmapMethod[] = [
  { name: 'VacationResponse/get', capability, run: getVacation },
  { name: 'VacationResponse/set', capability, run: setVacation },
]
