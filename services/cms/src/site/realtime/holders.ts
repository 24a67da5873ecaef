import { type Role, scopeOf } from '@stoa/cms-model/permissions.ts'
import type { Topic } from '@stoa/cms-model/realtime.ts'
import { readsType } from '../../people/delivery-keys/delivery-keys.ts'
import type { Emission } from './audience.ts'

/** Whose socket it is, as the database had it when it was last read. */
export type Holder =
  | {
      readonly kind: 'session'
      /** The session's ID. */
      readonly id: string
      readonly accountId: string
      readonly name: string
      readonly role: Role
      readonly expiresAt: Date
      readonly isEnded: boolean
    }
  | {
      readonly kind: 'delivery'
      /** The key's ID. */
      readonly id: string
      readonly types: readonly string[]
      readonly isEnded: boolean
    }

export const hasEnded = (holder: Holder, now: Date): boolean =>
  holder.isEnded || (holder.kind === 'session' && holder.expiresAt <= now)

/** Whether the holder may listen to a topic of this kind at all; it says nothing about whether there is such a topic. */
export const mayListen = (holder: Holder, topic: Topic): boolean => {
  if (holder.kind === 'session') return scopeOf(holder.role, 'content.read') !== null
  if (topic.kind === 'content') return readsType(holder, topic.type)
  return topic.kind === 'site'
}

/** Whether the holder may receive this, checked for each event: a right may have gone since the subscription. */
export const mayReceive = (holder: Holder, { isPublic, data, exceptAccount }: Emission, now: Date): boolean => {
  if (hasEnded(holder, now)) return false
  if (holder.kind === 'session')
    return scopeOf(holder.role, 'content.read') !== null && holder.accountId !== exceptAccount
  return isPublic && data.type !== null && readsType(holder, data.type)
}
