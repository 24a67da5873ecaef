import type { LabelledQuestion } from '@stoa/cms/assistant/retrieval/testing/demo-questions.ts'

/** A small website with labelled questions, written before the search was tuned again, which did not see its results. */
export type SmallSite = {
  readonly name: string
  /** The first is the site's own. */
  readonly locales: readonly string[]
  readonly pages: readonly SmallPage[]
  readonly questions: readonly LabelledQuestion[]
  /** What a model makes of its questions; see `recorded.ts`. */
  readonly rewritten: Readonly<Record<string, string>>
}

export type SmallPage = {
  readonly slug: string
  readonly title: string
  readonly body: string
  readonly locale: string
}

/** Pages as `slug: [title, ...paragraphs]`; a paragraph that begins with `#` is a heading. */
export const pagesIn = (locale: string, pages: Readonly<Record<string, readonly [string, ...string[]]>>): SmallPage[] =>
  Object.entries(pages).map(([slug, [title, ...paragraphs]]) => ({
    slug,
    title,
    locale,
    body: paragraphs.map((text) => (text.startsWith('# ') ? `<h2>${text.slice(2)}</h2>` : `<p>${text}</p>`)).join(''),
  }))

export const asked = (locale: string, questions: readonly LabelledQuestion[]): LabelledQuestion[] =>
  questions.map((question) => ({ ...question, locale }))
