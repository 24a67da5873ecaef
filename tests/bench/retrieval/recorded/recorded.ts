/**
 * What a model replies when it is told what to make of a question: written down beforehand, because a bench that asks a real one
 * measures another one each time. A model wrote them, from the prompt and the question alone; when the prompt's format changed
 * it answered the older ones anew, with the same words where they fit. Here the lists have bars between them.
 */
export const replyOf = (recorded: string): string =>
  JSON.stringify(recorded.split('|').map((ways) => ways.split(',').map((way) => way.trim())))
