import { type ClientScript, checkScript, listScripts, ScriptRefusal } from '../../../receiving/filters/filters.ts'
import { type Args, CAPABILITIES, failMethod, type JmapCall, type JmapMethod } from '../method.ts'
import { type SetError, SetFailure } from '../set-error.ts'
import { checkNames, failArgument, readString } from '../standard/arguments.ts'
import { getAnswer, readGet } from '../standard/get.ts'
import { type Comparator, fits, queryAnswer, readFilter, readQuery, readSort } from '../standard/query.ts'
import { stateOf } from '../standard/state.ts'
import { PROPERTIES, toObject } from './object.ts'
import { readScriptBlob } from './script-content.ts'
import { scriptErrorOf, setScripts } from './set.ts'

const getScripts = async (call: JmapCall, args: Args): Promise<Args> => {
  const { db } = call.parts.database
  const request = await readGet(call, args, { defaults: PROPERTIES })
  const state = await stateOf(db, request.access.addressId)
  const scripts = await listScripts(db, request.access.addressId)
  return getAnswer(request, { state, objects: new Map(scripts.map((each) => [each.id, toObject(each)])) })
}

const queryScripts = async (call: JmapCall, args: Args): Promise<Args> => {
  const { db } = call.parts.database
  const request = await readQuery(call, args)
  const filter = readFilter(args, readCondition)
  const sort = readSort(args, ['name', 'isActive'])
  const queryState = await stateOf(db, request.access.addressId)
  const scripts = await listScripts(db, request.access.addressId)
  const ids = scripts
    .filter((script) => fits(filter, (condition) => condition(script)))
    .toSorted((left, right) => compare(left, right, sort))
    .map(({ id }) => id)
  // There is no SieveScript/queryChanges.
  return { ...queryAnswer(request, { ids, queryState }), canCalculateChanges: false }
}

const validate = async (call: JmapCall, args: Args): Promise<Args> => {
  const access = await call.account(args)
  checkNames(args, ['blobId'])
  const blobId = readString(args, 'blobId')
  return { accountId: access.addressId, error: await problemOf(() => readScriptBlob(call, access, blobId)) }
}

const problemOf = async (read: () => Promise<Buffer>): Promise<SetError | null> => {
  try {
    checkScript(await read())
    return null
  } catch (error) {
    if (error instanceof ScriptRefusal) return scriptErrorOf(error)
    if (error instanceof SetFailure) return error.error
    throw error
  }
}

type Condition = (script: ClientScript) => boolean

/** RFC 9661 §2.5. */
const readCondition = (condition: Args): Condition => {
  const tests = Object.entries(condition).flatMap(([name, value]) => (value === null ? [] : [readTest(name, value)]))
  return (script) => tests.every((test) => test(script))
}

const readTest = (name: string, value: unknown): Condition => {
  if (name === 'name') {
    if (typeof value !== 'string') return failArgument('filter', 'has a "name" that is not a string')
    const wanted = value.toLowerCase()
    return (script) => script.name.toLowerCase().includes(wanted)
  }
  if (name === 'isActive') {
    if (typeof value !== 'boolean') return failArgument('filter', 'has an "isActive" that is not a boolean')
    return ({ isActive }) => isActive === value
  }
  return failMethod('unsupportedFilter', `Cannot filter by "${name.slice(0, 100)}".`)
}

const compare = (left: ClientScript, right: ClientScript, sort: readonly Comparator[]): number => {
  for (const { property, isAscending } of sort) {
    const [a, b] = property === 'name' ? [left.name, right.name] : [Number(left.isActive), Number(right.isActive)]
    if (a !== b) return a < b === isAscending ? -1 : 1
  }
  return left.id < right.id ? -1 : 1
}

const capability = CAPABILITIES.sieve

/** SieveScript (RFC 9661). */
export const sieveMethods: readonly JmapMethod[] = [
  { name: 'SieveScript/get', capability, run: getScripts },
  { name: 'SieveScript/set', capability, run: setScripts },
  { name: 'SieveScript/query', capability, run: queryScripts },
  { name: 'SieveScript/validate', capability, run: validate },
]
