/** Bodies as someone would write them; each is checked against its route when the service starts. */
export const examples: Readonly<Record<string, unknown>> = {
  'POST /api/auth/setup': { email: 'ada@example.com', name: 'Ada', password: 'a long sentence of your own' },
  'POST /api/auth/login': { email: 'ada@example.com', password: 'a long sentence of your own' },
  'POST /api/auth/password': {
    currentPassword: 'a long sentence of your own',
    newPassword: 'seven lanterns in the harbour',
  },
  'POST /api/users': {
    email: 'ben@example.com',
    name: 'Ben',
    role: 'editor',
    password: 'another long sentence',
  },
  'PUT /api/users/:id': { role: 'author' },
  'POST /api/agent-keys': {
    name: 'Importer',
    grants: ['content.read', 'content.write'],
    expiresInDays: 30,
    password: 'a long sentence of your own',
  },
  'POST /api/delivery-keys': { name: 'Website', types: ['article'] },
  'POST /api/webhooks': {
    name: 'Rebuild',
    url: 'https://www.example.com/hooks/cms',
    events: ['entry.published', 'entry.unpublished', 'entry.deleted'],
  },
  'POST /api/types': {
    name: 'article',
    label: 'Article',
    labelPlural: 'Articles',
    previewUrl: '/blog/{slug}',
    fields: [
      { key: 'summary', type: 'text', required: true, maxLength: 200 },
      { key: 'body', type: 'richtext' },
      { key: 'cover', type: 'media', accept: ['image/*'] },
      { key: 'related', type: 'reference', to: 'article', maxItems: 3 },
    ],
  },
  'PUT /api/types/:name': { fields: [{ key: 'summary', type: 'text', required: true }], version: 1 },
  'POST /api/entries': {
    type: 'article',
    title: 'The harbour at night',
    data: { summary: 'Seven lanterns and a ferry.', body: '<p>It was <em>late</em>.</p>' },
    terms: [{ taxonomy: 'tags', slug: 'travel' }],
  },
  'PUT /api/entries/:id': { title: 'The harbour at dawn', data: { summary: 'The ferry is gone.' }, version: 3 },
  'POST /api/entries/:id/status': { action: 'publish', at: '2030-01-01T09:00:00.000Z' },
  'PUT /api/entries/:id/terms': { taxonomy: 'tags', terms: ['travel', 'harbours'] },
  'POST /api/entries/bulk': { action: 'publish', ids: ['01890a5d-ac96-774b-bcce-b302099a8057'] },
  'POST /api/taxonomies': { name: 'tags', label: 'Tags', types: ['article'] },
  'POST /api/taxonomies/:name/terms': { slug: 'travel', name: 'Travel' },
  'POST /api/menus': {
    name: 'main',
    label: 'Main menu',
    items: [{ label: 'Blog', url: '/blog', children: [] }],
  },
  'POST /api/visual/page': {
    entryId: '01890a5d-ac96-774b-bcce-b302099a8057',
    token: 'a-token-of-POST-/api/entries/:id/preview',
  },
  'PUT /api/design/:surface': { set: { brandColor: '#1a56db', cornerRadius: '8px' }, remove: ['font'], version: 3 },
  'PUT /api/settings': { title: 'Harbour News', url: 'https://www.example.com' },
}
