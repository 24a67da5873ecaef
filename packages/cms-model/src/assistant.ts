import { z } from 'zod'
import { moment } from './moments.ts'

export const MAX_MESSAGE_LENGTH = 8_000

/** Where the person is while they write. */
export const assistantContext = z.strictObject({
  screen: z.string().max(100),
  entryId: z.uuid().optional(),
  type: z.string().max(63).optional(),
  fieldKey: z.string().max(200).optional(),
  /** The open editor holds what is not saved. */
  dirty: z.boolean(),
  selection: z
    .strictObject({ sectionId: z.string().max(200).optional(), fieldKey: z.string().max(200).optional() })
    .optional(),
})
export type AssistantContext = z.infer<typeof assistantContext>

export const messageInput = z.strictObject({
  text: z.string().trim().min(1).max(MAX_MESSAGE_LENGTH),
  context: assistantContext.optional(),
  /** Made by the browser: a request that is sent twice is one message. */
  clientId: z.uuid(),
})
export type MessageInput = z.infer<typeof messageInput>

export const conversationInput = z.strictObject({ title: z.string().trim().max(200).optional() })

export const conversation = z.object({
  id: z.uuid(),
  title: z.string(),
  /** A turn is running. */
  busy: z.boolean(),
  createdAt: moment,
  updatedAt: moment,
})
export type Conversation = z.infer<typeof conversation>

const toolStates = ['running', 'ok', 'error'] as const

/** One call of a tool, as people see it. */
export const toolStep = z.object({
  callId: z.string(),
  tool: z.string(),
  state: z.enum(toolStates),
  /** "Reading 20 of Articles" */
  label: z.string(),
  /** "20 of 212 entries" */
  summary: z.string().nullable(),
})
export type ToolStep = z.infer<typeof toolStep>

export const assistantError = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  /** What the provider said, in its own words. */
  providerText: z.string().nullable(),
})
export type AssistantError = z.infer<typeof assistantError>

export const stopReasons = ['end', 'stopped', 'length', 'max_steps', 'refused'] as const
export type StopReason = (typeof stopReasons)[number]

/** What happened in a turn, in order. */
export const turnPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  toolStep.extend({ kind: z.literal('tool') }),
  z.object({ kind: z.literal('proposal'), proposalId: z.uuid() }),
])
export type TurnPart = z.infer<typeof turnPart>

export const message = z.object({
  id: z.uuid(),
  role: z.enum(['user', 'assistant']),
  /** All text of the turn together. */
  text: z.string(),
  parts: z.array(turnPart),
  status: z.enum(['streaming', 'complete', 'failed', 'stopped']),
  stop: z.enum(stopReasons).nullable(),
  error: assistantError.nullable(),
  /** The ID that the client gave to the question: a client that lost its connection uses it to resume the answer. */
  clientId: z.uuid().nullable(),
  context: assistantContext.nullable(),
  /** The text held a secret, which was masked. */
  masked: z.boolean(),
  model: z.string().nullable(),
  tokensIn: z.int(),
  tokensOut: z.int(),
  createdAt: moment,
})
export type AssistantMessage = z.infer<typeof message>

export const proposalStatuses = ['proposed', 'applied', 'dismissed', 'superseded', 'failed'] as const
export type ProposalStatus = (typeof proposalStatuses)[number]

/** `live`: visitors see it at once. `irreversible`: there is no way back. */
export const proposalRisks = ['edit', 'live', 'irreversible'] as const
export type ProposalRisk = (typeof proposalRisks)[number]

const changeViews = ['text', 'richtext', 'markdown', 'media', 'list', 'layout', 'json'] as const

export const proposalChange = z.object({
  /** Where the value goes in the body: `title`, `data.summary`, `items`. With several requests the number comes first. */
  path: z.string(),
  label: z.string(),
  fieldType: z.string().nullable(),
  op: z.enum(['set', 'add', 'remove', 'move']),
  before: z.unknown(),
  after: z.unknown(),
  view: z.enum(changeViews),
})
export type ProposalChange = z.infer<typeof proposalChange>

const proposalRequest = z.object({
  method: z.enum(['POST', 'PUT', 'DELETE']),
  /** `:id` stands for what an earlier request answered. */
  path: z.string(),
  body: z.record(z.string(), z.unknown()).nullable(),
  /** The version for `If-Match`; null for a new record. */
  version: z.int().nullable(),
  /** The version of its record now, for a person who looked at what changed since; null without one. */
  current: z.int().nullable(),
  done: z.boolean(),
})

/** A change that the assistant proposes and a person makes, or not. */
export const proposal = z.object({
  id: z.uuid(),
  conversationId: z.uuid(),
  messageId: z.uuid(),
  tool: z.string(),
  title: z.string(),
  reason: z.string(),
  status: z.enum(proposalStatuses),
  /** This person may make the change now. */
  applicable: z.boolean(),
  whyNot: z.string().nullable(),
  /** Its target was changed since. */
  stale: z.boolean(),
  risk: z.enum(proposalRisks),
  /** What the button says: "Apply", "Publish", "Delete menu". */
  verb: z.string(),
  /** "Suggested by content, not by you": nobody asked for this address, person or network. */
  warning: z.string().nullable(),
  target: z.object({
    kind: z.string(),
    id: z.string().nullable(),
    label: z.string(),
    /** The screen's name, as in `open_screen`. */
    screen: z.string(),
  }),
  changes: z.array(proposalChange),
  requests: z.array(proposalRequest),
  base: z.object({ kind: z.string(), id: z.string().nullable(), version: z.int().nullable() }),
  /** Paths whose values are no longer those that the proposal was made for. */
  conflicts: z.array(z.string()),
  /** A person changed values before applying. */
  edited: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  createdAt: moment,
  appliedAt: moment.nullable(),
  expiresAt: moment,
})
export type Proposal = z.infer<typeof proposal>

export const proposalList = z.object({ items: z.array(proposal) })

export const conversationDetail = conversation.extend({ messages: z.array(message), proposals: z.array(proposal) })
export type ConversationDetail = z.infer<typeof conversationDetail>

/** Screens that `open_screen` knows. */
export const assistantScreens = [
  'dashboard',
  'entries',
  'entry',
  'entry_new',
  'visual',
  'website',
  'types',
  'type',
  'media',
  'taxonomies',
  'menus',
  'settings',
  'design',
  'people',
  'keys',
  'webhooks',
  'plugins',
  'social',
  'social_posts',
  'social_settings',
  'ai',
  'trash',
  'activity',
] as const
export type AssistantScreen = (typeof assistantScreens)[number]

/** The events of a turn, by name. Exactly one `done` or `error` ends it; a line that ends without either was cut. */
export const turnEvents = {
  start: z.object({ messageId: z.uuid(), conversationId: z.uuid(), model: z.string() }),
  text: z.object({ messageId: z.uuid(), delta: z.string() }),
  step: z.object({ n: z.int(), max: z.int() }),
  tool: toolStep.omit({ summary: true }).extend({ summary: z.string().optional(), message: z.string().optional() }),
  proposal: z.object({ proposal }),
  navigate: z.object({ screen: z.enum(assistantScreens), id: z.string().optional() }),
  usage: z.object({ input: z.int(), output: z.int(), todayUsed: z.int(), todayLimit: z.int() }),
  done: z.object({ messageId: z.uuid(), stop: z.enum(stopReasons), proposals: z.array(z.uuid()) }),
  error: assistantError.partial({ providerText: true }).extend({ messageId: z.uuid() }),
} as const
export type TurnEvents = { [K in keyof typeof turnEvents]: z.infer<(typeof turnEvents)[K]> }
export type TurnEvent = { [K in keyof TurnEvents]: { event: K; data: TurnEvents[K] } }[keyof TurnEvents]

export const fieldActionNames = [
  'rewrite',
  'shorten',
  'expand',
  'fix',
  'tone',
  'translate',
  'summarise',
  'title',
  'alt',
  'custom',
] as const
export type FieldActionName = (typeof fieldActionNames)[number]

export const MAX_FIELD_TEXT = 12_000

const fieldText = z.string().max(MAX_FIELD_TEXT, 'is longer than 12,000 characters. Select a part of it.')

export const fieldAssistantInput = z.strictObject({
  action: z.enum(fieldActionNames),
  fieldType: z.string().max(40),
  text: fieldText.default(''),
  /** `text` with its tags; rich text only. */
  html: fieldText.optional(),
  /** Only this part of it is to be changed: of rich text, with its tags. */
  selection: fieldText.optional(),
  instruction: z.string().trim().max(500).optional(),
  targetLocale: z.string().max(35).optional(),
  tone: z.string().trim().max(40).optional(),
  /** The choices of a select field. */
  options: z.array(z.string().max(200)).max(200).optional(),
  entryId: z.uuid().optional(),
  mediaId: z.uuid().optional(),
  /** The longest value, in characters. */
  limit: z.int().min(1).max(100_000).optional(),
})
export type FieldAssistantInput = z.infer<typeof fieldAssistantInput>

/** The events of a suggestion; ends as a turn does. */
export const fieldEvents = {
  start: z.object({ model: z.string() }),
  text: z.object({ delta: z.string() }),
  done: z.object({
    value: z.string(),
    /** What to look at before it is used. `shortened`: longer than the limit, or cut to the length of an alternative text. */
    flags: z.array(z.enum(['formatting', 'numbers', 'links', 'emails', 'placeholders', 'shortened'])),
  }),
  error: assistantError.partial({ providerText: true }),
} as const
export type FieldEvents = { [K in keyof typeof fieldEvents]: z.infer<(typeof fieldEvents)[K]> }
export type FieldEvent = { [K in keyof FieldEvents]: { event: K; data: FieldEvents[K] } }[keyof FieldEvents]
