import type { MediaType } from '@stoa/cms-model/media.ts'
import { loadSharp } from '../../../sharp.ts'
import { type Size, SQUARE, WIDE } from './draw.ts'
import { harborAtDawn, lighthouseAtNight, regatta, saltMarsh, stormAtSea, tideChart } from './landscapes.ts'
import { idris, marta, noor } from './portraits.ts'
import { lanternMark, openBook, parcels, readingLamp, shelves, storyCorner } from './still-lifes.ts'

type Plan = {
  draw: () => string
  size: Size
  folder: string
  /** The alternative text. */
  alt: string
  caption?: string
  /** Where the eye goes, from 0 to 1; the middle if absent. */
  focus?: { x: number; y: number }
}

/** The pictures of the demo, drawn by this program: nobody else has a right to them. */
const plans = {
  'harbor-at-dawn': {
    draw: harborAtDawn,
    size: WIDE,
    folder: 'harbor',
    alt: 'Sailing boats in a harbor at sunrise, with a row of colored houses along the quay',
    caption: 'Lantern Quay at six in the morning',
    focus: { x: 0.62, y: 0.55 },
  },
  'lighthouse-at-night': {
    draw: lighthouseAtNight,
    size: WIDE,
    folder: 'harbor',
    alt: 'A lighthouse on a rock sends its beam over a dark, calm sea below the stars',
    caption: 'The light on Gull Rock',
    focus: { x: 0.7, y: 0.4 },
  },
  'storm-at-sea': {
    draw: stormAtSea,
    size: WIDE,
    folder: 'harbor',
    alt: 'A small sailing boat between high gray-green waves in the rain',
    focus: { x: 0.54, y: 0.55 },
  },
  'salt-marsh': {
    draw: saltMarsh,
    size: WIDE,
    folder: 'harbor',
    alt: 'A creek winds through a green salt marsh; three birds fly below a pale sun',
    caption: 'The marsh path, half an hour from the shop',
  },
  regatta: {
    draw: regatta,
    size: WIDE,
    folder: 'harbor',
    alt: 'Four sailing boats with white, yellow and red sails on bright blue water',
    focus: { x: 0.55, y: 0.6 },
  },
  'tide-chart': {
    draw: tideChart,
    size: WIDE,
    folder: 'harbor',
    alt: 'An old sea chart with depth lines, a compass rose and a course marked in red',
  },
  shelves: {
    draw: shelves,
    size: WIDE,
    folder: 'shop',
    alt: 'Four wooden shelves full of books with colored spines in warm light',
    caption: 'The back room has the sea and the travel books',
  },
  'reading-lamp': {
    draw: readingLamp,
    size: WIDE,
    folder: 'shop',
    alt: 'A lit lamp, four books and a steaming cup on a table beside a window at dusk',
    focus: { x: 0.42, y: 0.55 },
  },
  'open-book': { draw: openBook, size: WIDE, folder: 'shop', alt: 'An open book with a red ribbon on a wooden table' },
  parcels: {
    draw: parcels,
    size: WIDE,
    folder: 'shop',
    alt: 'Three parcels in brown paper, tied with ribbons',
    focus: { x: 0.43, y: 0.55 },
  },
  'story-corner': {
    draw: storyCorner,
    size: WIDE,
    folder: 'shop',
    alt: 'A red armchair on a round rug between low bookshelves, below a string of flags',
  },
  'marta-quist': { draw: marta, size: SQUARE, folder: 'people', alt: 'Marta, with round glasses and long brown hair' },
  'idris-vale': { draw: idris, size: SQUARE, folder: 'people', alt: 'Idris, with short dark hair and a beard' },
  'noor-haddad': { draw: noor, size: SQUARE, folder: 'people', alt: 'Noor, with dark hair tied in a knot' },
  lantern: { draw: lanternMark, size: SQUARE, folder: 'brand', alt: 'A lit lantern, the mark of the shop' },
} as const satisfies Record<string, Plan>

export type PictureName = keyof typeof plans

export type Picture = Size & {
  name: PictureName
  bytes: Buffer
  mimeType: MediaType
  filename: string
  folder: string
  alt: string
  caption: string
  focus: { x: number; y: number }
}

/** More at once would take no less time, and more memory. */
const PARALLEL = 3
const QUALITY = 82

/** All pictures, as files. A few hundred milliseconds of work, most of it outside of the main thread. */
export const drawPictures = async (): Promise<Picture[]> => {
  const names = Object.keys(plans).filter(isName)
  const drawn: Picture[] = []
  for (let start = 0; start < names.length; start += PARALLEL)
    drawn.push(...(await Promise.all(names.slice(start, start + PARALLEL).map(drawPicture))))
  return drawn
}

const drawPicture = async (name: PictureName): Promise<Picture> => {
  const plan: Plan = plans[name]
  const { width, height } = plan.size
  const sharp = await loadSharp()
  const bytes = await sharp(Buffer.from(plan.draw())).webp({ quality: QUALITY, effort: 2 }).toBuffer()
  return {
    name,
    bytes,
    mimeType: 'image/webp',
    filename: `${name}.webp`,
    width,
    height,
    folder: plan.folder,
    alt: plan.alt,
    caption: plan.caption ?? '',
    focus: plan.focus ?? { x: 0.5, y: 0.5 },
  }
}

const isName = (name: string): name is PictureName => Object.hasOwn(plans, name)
