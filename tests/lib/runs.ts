/** How often a random test does its work: seldom with every `npm test`, often with `FULL=1 npm test`. */
export const runs = (usual: number, full: number): number => (process.env.FULL ? full : usual)
