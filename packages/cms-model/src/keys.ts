import { z } from 'zod'
import { givenPassword } from './accounts.ts'
import { moment } from './moments.ts'
import { oneLine } from './one-line.ts'
import { agentPermissions, type Permission } from './permissions.ts'

const MAX_NAME_LENGTH = 200
/** More types than any site has. */
const MAX_TYPE_SCOPES = 500
/** In place of type names: every type, also those that are made later. */
export const ALL_TYPES = '*'

const DEFAULT_AGENT_DAYS = 90
const MAX_AGENT_DAYS = 365

/** What a key is called by the people who look after it. */
const keyName = oneLine({ min: 1, max: MAX_NAME_LENGTH })

/** Type scopes as given: `["*"]`, or names. Which names exist is known to the service only. */
const typeScopes = z
  .array(z.string().min(1).max(100))
  .min(1, 'must contain content types or be ["*"]')
  .max(MAX_TYPE_SCOPES, `must have at most ${MAX_TYPE_SCOPES} names`)
  .transform((names) => [...new Set(names)])
  .refine((names) => names.length === 1 || !names.includes(ALL_TYPES), 'must be ["*"] or names of content types')

const version = z.int().min(1)

const keyMembers = {
  id: z.uuid(),
  name: z.string(),
  /** The beginning and the end of the key: enough to recognize it by. */
  prefix: z.string(),
  last4: z.string(),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  revokedAt: moment.nullable(),
  version: z.int(),
}

/** A website's credential. */
export const deliveryKey = z.object({ ...keyMembers, types: z.array(z.string()) })
export type DeliveryKey = z.infer<typeof deliveryKey>

/** The only answer that holds the key itself. */
export const mintedDeliveryKey = deliveryKey.extend({ key: z.string() })

export const createDeliveryKeyInput = z.strictObject({ name: keyName, types: typeScopes })
export type CreateDeliveryKeyInput = z.infer<typeof createDeliveryKeyInput>

/** Only the members sent change. */
export const updateDeliveryKeyInput = z.strictObject({
  name: keyName.optional(),
  types: typeScopes.optional(),
  version: version.optional(),
})
export type UpdateDeliveryKeyInput = z.infer<typeof updateDeliveryKeyInput>

/** A program's credential: its grants, capped at each request by the role of its account. */
export const agentKey = z.object({
  ...keyMembers,
  grants: z.array(z.string()),
  expiresAt: moment,
  /** Whose key it is. */
  account: z.object({ id: z.uuid(), name: z.string() }),
})
export type AgentKey = z.infer<typeof agentKey>

/** The only answer that holds the key itself. */
export const mintedAgentKey = agentKey.extend({ key: z.string() })

const isAgentPermission = (name: string): name is Permission => agentPermissions.some((known) => known === name)

/** What was checked. A rejected name is reported for the whole member: people see one list of checkboxes. */
const grants = z
  .array(z.string())
  .min(1, 'must have at least one permission')
  .transform((names, context): Permission[] => {
    const unknown = names.find((name) => !isAgentPermission(name))
    if (unknown === undefined) return [...new Set(names.filter(isAgentPermission))]
    context.addIssue({ code: 'custom', message: `must be from ${agentPermissions.join(', ')}` })
    return z.NEVER
  })

export const createAgentKeyInput = z.strictObject({
  name: keyName,
  grants,
  expiresInDays: z
    .int('must be a whole number of days')
    .min(1, 'must be 1 or more')
    .max(MAX_AGENT_DAYS, `must be ${MAX_AGENT_DAYS} or less`)
    .default(DEFAULT_AGENT_DAYS),
  /** One's own password again. */
  password: givenPassword,
})
export type CreateAgentKeyInput = z.infer<typeof createAgentKeyInput>
