import type { VisitorAnswer, VisitorQuestionInput } from '../visitor.ts'

/** What the bubble says, in one language. */
export type WidgetWords = {
  label: string
  greeting: string
  input: string
  send: string
  close: string
  thinking: string
  note: string
  sources: string
  failed: string
  busy: string
  retry: string
}

/** How the bubble looks; a label or greeting that is not set is said in the visitor's language. */
export type WidgetLook = { label?: string; greeting?: string; accent: string; position: 'left' | 'right' }

export type VisitorTurn = NonNullable<VisitorQuestionInput['history']>[number]
export type Answer = Pick<VisitorAnswer, 'answer' | 'sources' | 'found'>
export type AnswerOutcome = { answer: Answer } | { failed: 'busy' | 'failed' }

export type Child = Node | string

export type Frame = {
  root: HTMLElement
  button: HTMLButtonElement
  panel: HTMLElement
  close: HTMLButtonElement
  log: HTMLElement
  form: HTMLFormElement
  input: HTMLTextAreaElement
}

export type BubbleOptions = {
  css: string
  words: WidgetWords
  look: WidgetLook
  /** The language of these words; answers come in the language of the question. */
  language: string
  ask: (question: string, history: readonly VisitorTurn[]) => Promise<AnswerOutcome>
}

export type Baked = {
  endpoint: string
  look: WidgetLook
  words: Readonly<Record<string, WidgetWords>>
  css: string
}

/**
 * The functions that the script is put together from. Each knows the others through this object only and nothing else
 * outside of itself, so that the text of all of them is the whole script: there is no build, and the admin runs the
 * very same functions for its preview.
 */
export type WidgetParts = {
  make: <T extends keyof HTMLElementTagNameMap>(
    tag: T,
    attributes: Readonly<Record<string, string>>,
    ...children: Child[]
  ) => HTMLElementTagNameMap[T]
  drawIcon: (path: string) => SVGElement
  /** Black or white, whichever is easier to read on the color (WCAG 2.2, relative luminance): 4.5:1 at least. */
  readableOn: (accent: string) => '#000' | '#fff'
  /** An address that can be followed without running anything; null otherwise. */
  linkTo: (url: string | null, base: string) => string | null
  drawFrame: (parts: WidgetParts, options: BubbleOptions) => Frame
  drawAnswer: (parts: WidgetParts, words: WidgetWords, answer: Answer) => HTMLElement
  drawMessage: (parts: WidgetParts, from: 'visitor' | 'site', text: string) => HTMLElement
  /** Fills the host; gives what removes it again. */
  createBubble: (parts: WidgetParts, host: HTMLElement, options: BubbleOptions) => { open: () => void; end: () => void }
  askQuestion: (endpoint: string, body: VisitorQuestionInput) => Promise<AnswerOutcome>
  pickLanguage: (wanted: readonly (string | null | undefined)[], known: readonly string[]) => string
  startWidget: (parts: WidgetParts, baked: Baked) => void
}
