import type { Phrases } from './tags.ts'

export const german: Phrases = {
  up: 'bevorzuge|bevorzugt|bevorzugen|bevorzuge immer|priorisiere|priorisieren|hoher gewichten|gewichte hoher|starker gewichten|mehr gewicht|vorrang|gib vorrang|vorziehen|ziehe|ziehe vor|hoher|favorisiere|hervorheben',
  first: 'zuerst|immer|stark|vor allem|an erster stelle|zunachst|als erstes|ganz oben|stets|hauptsachlich',
  slightly: 'leicht|etwas|ein wenig|ein bisschen',
  down: 'vermeide|vermeiden|meide|abwerten|werte ab|niedriger|weniger|weniger gewicht|tiefer|nach unten|herabstufen|stufe herab|geringer gewichten|niedriger gewichten',
  last: 'zuletzt|als letztes|ganz unten|nur im notfall|im notfall|ans ende|am ende|als letzte moglichkeit',
  only: 'nur|ausschliesslich|lediglich|beschranke|beschranken',
  exclude:
    'schliesse|ausschliessen|auslassen|lass|lasse|weglassen|ignoriere|ignorieren|verberge|verbergen|blende|ausblenden|entferne|entfernen|uberspringe|uberspringen|filtere|ohne',
  use: 'nutze|nutzen|verwende|verwenden|benutze|benutzen|zeige|zeigen|anzeigen|suche|suchen|durchsuche|nimm|nehmen|gib|geben|liefere|liefern|beachte|berucksichtige|stelle|schaue|schau|greife|zitiere aus',
  not: 'nicht|nie|niemals|kein|keine|keinen|keinesfalls|auf keinen fall',
  flip: 'vor|gegenuber|statt|anstatt|anstelle von|als|anstelle',
  when: 'wenn|falls|sofern|bei fragen zu|bei fragen zum|bei fragen zur|bei fragen uber|bei fragen nach|fur fragen zu|fur fragen zum|fur fragen zur|bei anfragen zu|geht es um|bei',
  unless: 'ausser wenn|es sei denn|sofern nicht',
  about:
    'eine frage|die frage|fragen|frage|nach|zu|zum|zur|uber|gefragt|gefragt wird|wird|um|geht|es|jemand|nutzer|benutzer|erwahnt|nennt|enthalt|es um|sich|auf|ist|anfrage|anfragen',
  questions: 'fragen|anfragen|suchen',
  in: 'im|aus|von|vom|auf|unter|unterhalb von|innerhalb',
  recent:
    'neue|neuere|neueren|neuer|neueste|neuesten|aktuelle|aktuellen|aktueller|aktuellere|aktuelleren|kurzlich|frische|aktualisierte|aktuelle seiten|neue inhalte',
  old: 'alt|alte|alten|altere|alteren|veraltet|veraltete|veralteten',
  latest:
    'neueste version|neuesten version|aktuelle version|aktuellen version|aktuellste version|aktuellsten version|letzte version|letzten version|neueste fassung',
  version: 'version|versionen|fassung',
  past: 'letzten|letzte|vergangenen',
  code: 'code|codebeispiele|code-beispiele|codebeispielen|beispiele|beispielen|beispielcode|schnipsel|quelltext|quellcode',
  it: 'ihn',
  for: 'fur',
  this_source: 'diese quelle|dieser quelle|diese seite',
  folder: 'ordner|ordnern|verzeichnis|verzeichnisse|verzeichnissen|bereich|abschnitt|abschnitte',
  generic:
    'seite|seiten|inhalt|inhalte|inhalten|ergebnis|ergebnisse|ergebnissen|artikel|artikeln|suchergebnisse|suchergebnissen|den ergebnissen|treffer|dateien|alles',
  cited: 'quellen|quelle|links|quellenangaben|verweise|keine quellen',
  other: 'andere quellen|anderen quellen|allen anderen|alle anderen|alles andere|andere|anderen|rest',
  at_most: 'hochstens|maximal|nicht mehr als',
  results: 'treffer|ergebnisse|ergebnis|abschnitte|passagen|textstellen|seiten',
  per_source: 'pro quelle|je quelle|aus einer quelle|aus derselben quelle|von jeder quelle|aus jeder quelle',
  treat: 'behandle|behandele|betrachte|verstehe',
  same: 'als synonyme|als synonym|synonyme|gleichbedeutend|als dasselbe|als gleich',
  means: 'bedeutet|steht fur|heisst|meint|ist dasselbe wie|ist gleich',
  also: 'suche auch nach|auch nach|such auch nach',
  refuse:
    'zitiere|zitieren|quellenangaben|fussnoten|sicher klingen|selbstsicher|unsicher|unsicherheit|zweifel|konfidenz|erfinde|erfinden|rate|raten|eigenes wissen|eigenem wissen|allgemeinwissen|ohne quellen|ohne quellenangaben|tonfall|ton|freundlich|freundlichen|hoflich|duze|sieze|knapp|kurz und knapp|stichpunkten|stichpunkte|aufzahlungen|emojis|emoji|witze|humor|gib dich|tu so|anweisungen|auf deutsch|auf englisch|auf franzosisch|in einfacher sprache|ausfuhrlich|fasse dich kurz',
  command:
    'antworte|antworten|beantworte|schreibe|schreib|sag|sage|sprich|klinge|erklare|ubersetze|fasse|formuliere|sei|bleibe|bleib|verschweige|erwahne|nenne|sende|schicke|rufe|losche|vergiss|stelle dich|spiele|du bist|tue|verrate',
  manner: 'antwort|antworten|stil|sprache|kurz|kurze|lang|lange|formell|foermlich',
  answer: 'beim antworten|in antworten',
  length: 'worter|wortern|satze|satzen|zeilen|zeichen|absatze',
  and: 'und|sowie',
  or: 'oder',
  but: 'aber|jedoch|sondern|doch|wahrend',
  must: 'soll|sollen|sollte|sollten|muss|mussen|darf|durfen|durfte',
  filler:
    'der|die|das|den|dem|des|ein|eine|einen|einem|einer|alle|allen|jede|jeden|bitte|auch|offizielle|offiziellen|offizieller|unsere|unseren|unser|fur|mit|am|in|an|immer wenn|aus den|werden|wird|haben|gegeben|dabei|in den|aus|vor allen|heraus|ab|weg|durch',
}
