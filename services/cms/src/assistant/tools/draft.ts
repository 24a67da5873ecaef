import type { ProposalChange, ProposalRisk } from '@stoa/cms-model/assistant.ts'
import type { Permission } from '@stoa/cms-model/permissions.ts'
import type { Json } from '../../people/call-route/call-route.ts'

/** What proposals change; `app` is a network's, `surface` one of the design. */
export const recordKinds = [
  'entry',
  'type',
  'media',
  'settings',
  'surface',
  'menu',
  'plugin',
  'user',
  'webhook',
  'app',
] as const
export type RecordKind = (typeof recordKinds)[number]

export type RecordRef = { readonly kind: RecordKind; readonly id: string }

/** A request that a person would send to make the change. */
export type DraftRequest = {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  /** The path as the route declares it: `/api/entries/:id`. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly body: { readonly [member: string]: Json } | null
  /** The version to change; null for a new record. */
  readonly version: number | null
  /** The record to change; null for a new one. */
  readonly record: RecordRef | null
  /** The record was changed after the model read it: what it was like then is not known any more. */
  readonly isBehind?: boolean
  /** Leaving a member out would mean something else: publishing now in place of tomorrow. */
  readonly isWhole?: true
  /** Items that must stay in a list that is sent whole, such as the fields that a type has. */
  readonly keep?: readonly string[]
}

/** What a tool proposes, once the ordinary route has agreed to all of it. */
export type ProposalDraft = {
  readonly title: string
  readonly reason: string
  readonly risk: ProposalRisk
  readonly verb: string
  /** The permission required to apply it. */
  readonly permission: Permission
  readonly target: {
    readonly kind: string
    readonly id: string | null
    readonly label: string
    readonly screen: string
  }
  readonly changes: readonly ProposalChange[]
  readonly requests: readonly DraftRequest[]
  readonly base: { readonly kind: string; readonly id: string | null; readonly version: number | null }
  /** The names (a host, a network, a person) one of which the person must have mentioned. Null: nothing risky. */
  readonly anchors: readonly string[] | null
}
