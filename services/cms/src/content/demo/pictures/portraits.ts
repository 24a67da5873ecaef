import { backdrop, box, disc, drawing, line, path, SQUARE } from './draw.ts'

type Look = { wall: readonly [string, string]; skin: string; hair: string; coat: string; collar: string }

const bust = ({ wall, skin, coat, collar }: Look, ...more: readonly string[]): string =>
  drawing(
    SQUARE,
    backdrop(SQUARE, wall),
    disc([320, 300], 250, '#ffffff', 0.12),
    path('M90,640 C100,500 210,450 320,450 C430,450 540,500 550,640 Z', coat),
    path('M262,458 Q320,540 378,458 L378,420 H262 Z', collar),
    box([276, 380], { width: 88, height: 90 }, skin, { round: 40 }),
    disc([320, 300], 108, skin),
    ...more,
  )

const face = (ink: string): string =>
  `${disc([284, 300], 8, ink)}${disc([356, 300], 8, ink)}${line('M288,346 q32,26 64,0', ink, 7)}`

export const marta = (): string => {
  const look: Look = {
    wall: ['#e9b384', '#d98e6a'],
    skin: '#f0cba8',
    hair: '#5b3a2e',
    coat: '#2f5d62',
    collar: '#f5ecd7',
  }
  return bust(
    look,
    path(
      'M206,330 C190,180 260,160 320,160 C380,160 450,180 434,330 C430,260 392,226 350,222 C300,240 240,238 206,330 Z',
      look.hair,
    ),
    path('M206,320 q-22,110 20,150 q-6,-90 -4,-150 Z M434,320 q22,110 -20,150 q6,-90 4,-150 Z', look.hair),
    face('#3a2a22'),
    line(
      'M256,300 a28,28 0 1 0 56,0 a28,28 0 1 0 -56,0 M328,300 a28,28 0 1 0 56,0 a28,28 0 1 0 -56,0 M312,300 h16',
      '#3a2a22',
      5,
    ),
  )
}

export const idris = (): string => {
  const look: Look = {
    wall: ['#7fa3b5', '#4f7a91'],
    skin: '#a9714b',
    hair: '#2b2320',
    coat: '#d9a441',
    collar: '#27475e',
  }
  return bust(
    look,
    path(
      'M208,290 C206,190 262,164 320,164 C378,164 434,190 432,290 C410,232 380,218 320,218 C260,218 230,232 208,290 Z',
      look.hair,
    ),
    path(
      'M222,330 C232,420 280,436 320,436 C360,436 408,420 418,330 C404,380 372,376 320,376 C268,376 236,380 222,330 Z',
      look.hair,
    ),
    face('#221a16'),
  )
}

export const noor = (): string => {
  const look: Look = {
    wall: ['#a9c2a0', '#7d9f7e'],
    skin: '#d9a57e',
    hair: '#33261f',
    coat: '#8a4a5d',
    collar: '#e8dcc4',
  }
  return bust(
    look,
    path(
      'M320,150 C210,150 196,260 204,360 C210,430 230,470 262,470 C240,400 236,330 250,270 C300,270 350,246 372,222 C396,256 404,330 384,470 C420,460 434,420 438,350 C444,250 430,150 320,150 Z',
      look.hair,
    ),
    disc([420, 186], 44, look.hair),
    face('#2a1d17'),
  )
}
