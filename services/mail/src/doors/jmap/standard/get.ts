import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { MAX_OBJECTS_IN_GET } from '../limits.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { checkNames, failArgument, readIds, readStrings } from './arguments.ts'

export type GetSpec = {
  /** The properties that are returned by default. */
  defaults: readonly string[]
  /** Whether a property may be asked for; those of `defaults` if absent. */
  isProperty?: (name: string) => boolean
  /** Further arguments of the method. */
  more?: readonly string[]
}

export type GetRequest = {
  access: MailboxAccess
  /** Each once, creation ids resolved; null for all there are. */
  ids: string[] | null
  /** With `id`. */
  properties: string[]
}

/** The arguments of a /get (RFC 8620 §5.1). */
export const readGet = async (call: JmapCall, args: Args, spec: GetSpec): Promise<GetRequest> => {
  const access = await call.account(args)
  return { access, ...readGetArguments(call, args, spec) }
}

/** Reads the arguments of a /get for types that belong to no account. */
export const readGetArguments = (call: JmapCall, args: Args, spec: GetSpec): Omit<GetRequest, 'access'> => {
  const { defaults, isProperty = (name) => defaults.includes(name), more = [] } = spec
  checkNames(args, ['ids', 'properties', ...more])
  const ids = readIds(args, 'ids')
  if (ids && ids.length > MAX_OBJECTS_IN_GET)
    failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_GET} objects at once.`)
  const properties = readStrings(args, 'properties') ?? [...defaults]
  for (const name of properties)
    if (!isProperty(name)) failArgument('properties', `has "${name.slice(0, 100)}", which is not a known property`)
  return {
    ids: ids && [...new Set(ids.map((id) => realId(call, id)))],
    properties: [...new Set(['id', ...properties])],
  }
}

/** The id behind a creation id (`#x`) of this request; anything else, and what was not created, stays as it is. */
export const realId = (call: Pick<JmapCall, 'createdIds'>, id: string): string =>
  id.startsWith('#') ? (call.createdIds.get(id.slice(1)) ?? id) : id

/** The answer of a /get from objects by id: in the order of the ids, only with the wanted properties. */
export const getAnswer = (
  { access, ids, properties }: GetRequest,
  { state, objects }: { state: string; objects: ReadonlyMap<string, Args> },
): Args => ({ accountId: access.addressId, state, ...pickObjects({ ids, properties }, objects) })

export const pickObjects = (
  { ids, properties }: Pick<GetRequest, 'ids' | 'properties'>,
  objects: ReadonlyMap<string, Args>,
): { list: Args[]; notFound: string[] } => {
  const wanted = ids ?? [...objects.keys()]
  const list: Args[] = []
  const notFound: string[] = []
  for (const id of wanted) {
    const object = objects.get(id)
    if (object) list.push(pick(object, properties))
    else notFound.push(id)
  }
  return { list, notFound }
}

/** The wanted ones of an object's properties, in that order. */
export const pick = (object: Args, properties: readonly string[]): Args => {
  const picked: Args = {}
  for (const name of properties) if (object[name] !== undefined) picked[name] = object[name]
  return picked
}
