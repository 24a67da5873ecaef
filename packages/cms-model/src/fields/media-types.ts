import { z } from 'zod'

/** The kinds of files a field takes: `image/*`, `application/pdf` … */
export const accept = z
  .array(
    z
      .string()
      .regex(/^[a-z]{1,20}\/(?:\*|[a-z0-9][a-z0-9.+-]{0,80})$/, 'must be a media type like image/* or image/png'),
  )
  .min(1, 'must not be empty')
  .max(20)
  .default(['image/*'])

/** True when a file of this type may be chosen. */
export const isAccepted = (accepted: readonly string[], mimeType: string): boolean =>
  accepted.some(
    (pattern) => pattern === mimeType || (pattern.endsWith('/*') && mimeType.startsWith(pattern.slice(0, -1))),
  )
