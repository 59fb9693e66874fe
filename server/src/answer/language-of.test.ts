import { expect, test } from 'vitest'
import { languageOf } from './language-of.ts'

test.each([
  ['en', 'Oil every sprocket of the wheel twice a year, and wipe it with a cloth that is dry.'],
  ['de', 'Die Verteidigung der Panthers gab nur 308 Punkte ab und belegte den sechsten Platz in der Liga.'],
  ['fr', 'La roue est dans la boîte avec les outils, et il faut une clé pour la sortir.'],
  ['es', 'La rueda está en la caja con las herramientas y se saca con una llave para el eje.'],
  ['it', 'La ruota è nella scatola con gli attrezzi e per il montaggio non serve una chiave.'],
  ['pt', 'A roda está na caixa com as ferramentas e não precisa de uma chave para o eixo.'],
  ['nl', 'Het wiel zit in de doos met het gereedschap en is niet voor een ander model.'],
  ['sv', 'Hjulet är i lådan med verktygen och det är inte för en annan modell.'],
  [null, 'const wheel = create({ teeth: 12 })'],
  [null, '蓮如以前の大坂はなんと発音されていたか'],
  [null, ''],
])('tells the language %s of %j', (language, text) => expect(languageOf(text)).toBe(language))
