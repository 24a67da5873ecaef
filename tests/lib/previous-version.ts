/**
 * The version before this one: while an upgrade rolls through the processes, it runs beside the new schema. To be set anew with
 * each release.
 */
export const PREVIOUS = {
  commit: 'bf45fa3188603a125b942e8b651a9e4d6c1091e4',
  /** The last migration that it knows. */
  migrations: { cms: '0024_certificates', mail: '0069_certificates' },
}
