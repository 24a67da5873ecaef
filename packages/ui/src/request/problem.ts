/** An error in words for a person, with the fields it concerns. */
export type Problem = { message: string; fields: readonly { key: string; message: string }[] }

/** An error that already knows how to show itself. The API clients throw these. */
export class ProblemError extends Error implements Problem {
  readonly fields: Problem['fields']

  constructor(message: string, fields: Problem['fields'] = [], options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProblemError'
    this.fields = fields
  }
}

/** Any thrown value as a problem; the words of unknown errors are for developers and stay hidden. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof ProblemError) return { message: error.message, fields: error.fields }
  return {
    message: 'This page ran into an unexpected error. Try again; if it keeps happening, reload the page.',
    fields: [],
  }
}

export const messageOf = (error: unknown): string => problemOf(error).message
