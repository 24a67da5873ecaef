import { backdrop, box, disc, drawing, glow, line, lots, type Point, path, SQUARE, shape, WIDE } from './draw.ts'

const { width } = WIDE

const SPINES = [
  '#b3473d',
  '#27475e',
  '#d9a441',
  '#5b7f6b',
  '#e8dcc4',
  '#7a4f6d',
  '#3f6f86',
  '#c97b4a',
  '#4a4f63',
  '#93a98b',
]

/** Books side by side from left to right; the point is where the shelf begins. */
const rowOfBooks = ([left, ground]: Point, length: number, seed: number): string => {
  const next = lots(seed)
  const books: string[] = []
  for (let x = left; x < left + length; ) {
    const wide = 20 + next() * 30
    const tall = 118 + next() * 52
    const colour = SPINES[Math.floor(next() * SPINES.length)] ?? '#27475e'
    if (next() > 0.93) {
      x += wide * 1.6
      continue
    }
    books.push(box([x, ground - tall], { width: wide - 2, height: tall }, colour, { round: 2 }))
    const band = ground - tall + 16 + next() * 24
    books.push(box([x + 4, band], { width: wide - 10, height: 5 }, '#f5ecd7', { opacity: 0.7 }))
    if (next() > 0.5) books.push(box([x + 4, band + 12], { width: wide - 10, height: 3 }, '#f5ecd7', { opacity: 0.5 }))
    x += wide
  }
  return books.join('')
}

export const shelves = (): string =>
  drawing(
    WIDE,
    backdrop(WIDE, ['#3a2a22', '#4d382c']),
    ...[192, 392, 592, 792].map(
      (ground, index) =>
        `${rowOfBooks([24, ground], width - 48, 60 + index)}${box([0, ground], { width, height: 16 }, '#8a6242')}${box([0, ground + 16], { width, height: 10 }, '#2b1f19', { opacity: 0.5 })}`,
    ),
    glow([980, 240], 520, '#ffcf87', 'lamp').replaceAll('0.9', '0.42'),
    box([0, 0], { width: 20, height: 800 }, '#6f4d34'),
    box([width - 20, 0], { width: 20, height: 800 }, '#6f4d34'),
  )

export const readingLamp = (): string =>
  drawing(
    WIDE,
    backdrop(WIDE, ['#1f3440', '#2c4a55', '#3b5a5e']),
    box([760, 90], { width: 380, height: 420 }, '#16262f', { round: 8 }),
    box([776, 106], { width: 348, height: 388 }, '#4a6d84', { round: 4 }),
    disc([1040, 190], 34, '#f3ecd6'),
    path('M776,400 C860,360 960,420 1124,370 V494 H776 Z', '#2a4557'),
    box([944, 106], { width: 10, height: 388 }, '#16262f'),
    box([776, 296], { width: 348, height: 10 }, '#16262f'),
    glow([420, 330], 420, '#ffd58a', 'light'),
    shape('300,330 360,190 480,190 540,330', '#e8604c'),
    box([414, 330], { width: 12, height: 250 }, '#d9b26a'),
    box([350, 576], { width: 140, height: 20 }, '#d9b26a', { round: 10 }),
    box([0, 596], { width, height: 204 }, '#7a5236'),
    box([0, 596], { width, height: 12 }, '#94694a'),
    box([620, 556], { width: 300, height: 40 }, '#27475e', { round: 4 }),
    box([640, 518], { width: 260, height: 38 }, '#d9a441', { round: 4 }),
    box([612, 480], { width: 270, height: 38 }, '#b3473d', { round: 4 }),
    box([660, 446], { width: 220, height: 34 }, '#e8dcc4', { round: 4 }),
    path('M1000,596 v-70 h84 v70 q0,10 -10,10 h-64 q-10,0 -10,-10 Z', '#f0e6d2'),
    line('M1084,544 q34,0 34,24 q0,22 -34,22', '#f0e6d2', 10),
    line('M1022,508 q-12,-20 0,-38 M1050,508 q-12,-20 0,-38', '#ffffff', 5, 0.35),
  )

export const openBook = (): string => {
  const lines = (left: number, lean: number): string =>
    line(
      Array.from({ length: 9 }, (_, index) => `M${left},${330 + index * 30} q130,${lean} 270,0`).join(' '),
      '#8b8371',
      4,
      0.55,
    )
  return drawing(
    WIDE,
    backdrop(WIDE, ['#c9b08c', '#b18f69']),
    disc([640, 420], 430, '#d8c4a2', 0.5),
    path(
      'M200,250 C340,190 520,200 640,270 C760,200 940,190 1080,250 V640 C940,590 760,600 640,660 C520,600 340,590 200,640 Z',
      '#6d3b32',
    ),
    path('M226,240 C350,190 520,200 640,262 V636 C520,582 350,574 226,620 Z', '#fbf5e6'),
    path('M1054,240 C930,190 760,200 640,262 V636 C760,582 930,574 1054,620 Z', '#f5ecd7'),
    path('M640,262 C600,240 560,230 520,226 V588 C560,594 600,612 640,636 Z', '#d9cbb0', 0.55),
    lines(290, -26),
    lines(720, -26),
    line('M640,262 V650', '#b9a98b', 4),
    line('M1010,160 L1130,90', '#5b7f6b', 14),
    line('M640,640 q10,70 -20,120', '#b3473d', 12),
    line('M180,150 q60,-50 130,0 t130,0', '#8a6242', 6, 0.6),
  )
}

export const parcels = (): string => {
  const parcel = ([x, y]: Point, wide: number, tall: number, paper: string, ribbon: string): string =>
    [
      box([x, y], { width: wide, height: tall }, paper, { round: 6 }),
      box([x, y], { width: wide, height: tall * 0.16 }, '#ffffff', { round: 6, opacity: 0.12 }),
      box([x + wide * 0.46, y], { width: wide * 0.08, height: tall }, ribbon),
      line(`M${x + wide / 2},${y} q-44,-54 -74,-14 q-6,26 74,14 q44,-54 74,-14 q6,26 -74,14`, ribbon, 9),
    ].join('')
  return drawing(
    WIDE,
    backdrop(WIDE, ['#8fb3b0', '#c9d8c9']),
    box([0, 610], { width, height: 190 }, '#5f7f7c'),
    disc([220, 180], 300, '#ffffff', 0.1),
    parcel([300, 380], 420, 230, '#c79c6c', '#f5ecd7'),
    parcel([420, 220], 260, 160, '#d9b98b', '#b3473d'),
    parcel([780, 460], 280, 150, '#b98a5c', '#27475e'),
    box([800, 560], { width: 110, height: 60 }, '#fbf5e6', { round: 4 }),
    line('M816,578 h70 M816,596 h50', '#8b8371', 4),
  )
}

/** A chair, a rug and a row of books, seen by a child. */
export const storyCorner = (): string =>
  drawing(
    WIDE,
    backdrop(WIDE, ['#f0c98b', '#f6dfb4']),
    ...[160, 420, 700, 980, 1180].map((x, index) => {
      const top = [107, 116, 80, 66, 88][index] ?? 0
      return shape(`${x - 60},${top} ${x + 60},${top} ${x},${top + 100}`, SPINES[index * 2] ?? '#b3473d', 0.85)
    }),
    line('M0,80 Q320,150 640,90 T1280,110', '#7a4f34', 5),
    box([0, 600], { width, height: 200 }, '#c98f5d'),
    `<ellipse cx="640" cy="690" rx="470" ry="80" fill="#3f6f86"/><ellipse cx="640" cy="690" rx="360" ry="56" fill="#5b96a8"/><ellipse cx="640" cy="690" rx="230" ry="34" fill="#e8dcc4"/>`,
    path('M520,640 V430 q0,-70 120,-70 t120,70 V640 Z', '#b3473d'),
    path('M490,650 V540 q0,-30 30,-30 t30,30 v60 h180 v-60 q0,-30 30,-30 t30,30 V650 Z', '#cf5f50'),
    rowOfBooks([70, 610], 300, 90),
    rowOfBooks([930, 610], 290, 93),
    box([600, 560], { width: 90, height: 14 }, '#27475e', { round: 3 }),
    box([606, 546], { width: 78, height: 14 }, '#f5ecd7', { round: 3 }),
  )

/** The mark of the shop: a lantern. */
export const lanternMark = (): string =>
  drawing(
    SQUARE,
    box([0, 0], SQUARE, '#143a4a', { round: 140 }),
    glow([320, 350], 250, '#ffd27a', 'light'),
    line('M230,190 q90,-130 180,0', '#f5e7c8', 26),
    box([220, 190], { width: 200, height: 40 }, '#f5e7c8', { round: 12 }),
    path('M240,230 H400 L430,450 H210 Z', '#ffdf94'),
    path('M320,270 q58,80 0,150 q-58,-70 0,-150 Z', '#e8604c'),
    box([196, 450], { width: 248, height: 46 }, '#f5e7c8', { round: 14 }),
  )
