/** What both the bench and the process under measurement read their settings from. */
export const environmentOf = (databaseUrl: string, folder: string): Record<string, string> => ({
  NODE_ENV: 'test',
  MAIL_PORT: '0',
  MAIL_PUBLIC_URL: 'http://mail.test',
  SECRET: 'a secret of the bench, long enough for anyone',
  RATE_LIMIT_PER_SECOND: '100000',
  MAIL_ROLES: 'http',
  MAIL_HOSTNAME: 'mx.stoa.test',
  MAIL_DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
})
