import type { MediaRecord } from '../queries.ts'

/** A picture of the library, for tests. */
export const mediaFixture: MediaRecord = {
  id: '01a1de84-694e-7010-ad93-1d5f582c2814',
  url: 'https://cms.example/media/01a1de84-694e-7010-ad93-1d5f582c2814/984023b2/harbour.jpg',
  filename: 'harbour.jpg',
  mimeType: 'image/jpeg',
  size: 12_000,
  width: 960,
  height: 640,
  alt: '',
  caption: '',
  focalX: 0.5,
  focalY: 0.5,
  decorative: false,
  folder: '',
  hash: '984023b2',
  usage: { count: 0 },
  version: 1,
  createdAt: '2026-03-01T12:00:00.000Z',
  createdBy: null,
  updatedAt: '2026-03-01T12:00:00.000Z',
}
