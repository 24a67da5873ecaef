/** The header of answers to a sign-in, or to the question who is signed in: reads after it see everything before it. */
export const POSITION_HEADER = 'x-cms-position'
