import type { AssistantScreen } from '@stoa/cms-model/assistant.ts'
import type { Permission, Role } from '@stoa/cms-model/permissions.ts'
import type { ZodType, z } from 'zod'
import type { Ctx } from '../../context.ts'
import type { Json, RouteCall } from '../../people/call-route/call-route.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { ProposalDraft } from './draft.ts'

/** What a tool may reach: the ordinary routes, for the person whose conversation it is, with the rights they have now. */
export type Reach = {
  readonly ctx: Ctx<SessionPrincipal>
  /** Calls a route and returns its response. Throws the route's errors. */
  call(route: RouteCall): Promise<Json | undefined>
  /** Runs a write and rolls it back; returns its response. Throws the route's errors. */
  rehearse(route: RouteCall, rehearsal?: Rehearsal): Promise<Json | undefined>
  /** The version of a record that the model read last in this conversation, if it read it. */
  versionRead(kind: string, id: string): number | null
  /** Remembers which version of a record the model has read. */
  wasRead(kind: string, id: string, version: number): void
}

export type Rehearsal = {
  /** Runs as if the person had this role, so that the rules behind a permission they lack are checked as well. */
  readonly role?: Role | undefined
  /** A second write, made of what the first one answered. */
  readonly next?: ((answer: Json | undefined) => RouteCall) | undefined
}

export type ToolOutcome =
  /** `summary` is for people: "20 of 212 entries". */
  | { readonly kind: 'result'; readonly result: Json; readonly summary: string }
  | { readonly kind: 'proposal'; readonly draft: ProposalDraft }
  | { readonly kind: 'navigate'; readonly screen: AssistantScreen; readonly id?: string }

export type Tool<S extends ZodType = ZodType> = {
  readonly name: string
  readonly kind: 'read' | 'propose' | 'move'
  /** Held in any scope; the route that it stands for checks the rest. */
  readonly permission: Permission
  readonly description: string
  /** Unknown members are refused. The model sees it as JSON schema. */
  readonly input: S
  /** Only where the site has what it is about. */
  readonly isAvailable?: (reach: Reach) => boolean | Promise<boolean>
  /** What people see while it runs: "Reading Articles". */
  readonly label: (input: z.output<S>) => string
  readonly run: (reach: Reach, input: z.output<S>) => Promise<ToolOutcome>
}

/** Binds the types of a tool's input. */
export const tool = <S extends ZodType>(spec: Tool<S>): Tool => spec as unknown as Tool
