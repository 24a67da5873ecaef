/**
 * What a model replies when it is asked to interpret a question: written down beforehand, because a bench that asks a real one
 * measures another one each time. A model wrote them from the prompt and the question; those of the shop, the dentist and the
 * bicycles were written again, when the prompt's format changed, by one that had read the pages. Those of the climbing hall are
 * older than its pages. Here the lists have bars between them.
 */
export const replyOf = (recorded: string): string =>
  JSON.stringify(recorded.split('|').map((ways) => ways.split(',').map((way) => way.trim())))
