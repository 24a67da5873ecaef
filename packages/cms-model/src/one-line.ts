import { z } from 'zod'

/** Text on one line, without space around it: labels, names, titles. */
export const oneLine = ({ min, max }: { min: 0 | 1; max: number }) =>
  z
    .string()
    .trim()
    .min(min, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be on one line')
