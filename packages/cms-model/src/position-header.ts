/** The header of answers to whoever signs in, or asks who is signed in: reads after it see everything before it. */
export const POSITION_HEADER = 'x-cms-position'
