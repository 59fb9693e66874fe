import type { Phrases } from './tags.ts'

export const french: Phrases = {
  up: 'privilegie|privilegier|privilegiez|prefere|preferer|preferez|priorise|prioriser|priorisez|donne la priorite|donner la priorite|donne la priorite a|donnez la priorite|favorise|favoriser|favorisez|mets en avant|mettre en avant|mettez en avant|plus de poids|valorise|en priorite|donne plus de poids',
  first: "d' abord|toujours|fortement|avant tout|en premier|en premier lieu|surtout|principalement",
  slightly: 'legerement|un peu',
  down: 'evite|eviter|evitez|moins|moins de poids|plus bas|retrograde|declasse|penalise|penaliser|en dessous',
  last: 'en dernier|en dernier recours|en dernier lieu|a la fin|tout en bas',
  only: 'uniquement|seulement|exclusivement|limite|limiter|limitez|rien que',
  exclude:
    'exclus|exclure|excluez|exclut|ignore|ignorer|ignorez|masque|masquer|masquez|cache|cacher|cachez|omets|omettre|retire|retirer|retirez|supprime|supprimer|ecarte|ecarter|ecartez|sans',
  use: 'utilise|utiliser|utilisez|montre|montrer|montrez|affiche|afficher|affichez|cherche|chercher|cherchez|recherche|rechercher|prends|prendre|prenez|consulte|consulter|consultez|donne|donner|donnez|renvoie|renvoyer|renvoyez|inclus|place|mets|propose',
  not: 'ne|pas|jamais|aucun|aucune|ni',
  flip: "plutot que|au lieu de|au lieu des|au lieu du|par rapport a|par rapport aux|avant les|sur les|que|qu'",
  when: "quand|lorsque|lorsqu'|si|pour les questions sur|pour les questions concernant|pour toute question sur|pour les questions de|pour tout ce qui concerne|concernant|au sujet de|a propos de",
  unless: 'sauf si|a moins que|sauf quand',
  about:
    "une question|la question|question|questions|porte sur|portent sur|concerne|concernent|mentionne|mentionnent|on demande|on|demande|parle de|parlent de|il s' agit de|utilisateur|l'|sur|est|il|elle|qu'|de",
  questions: 'questions|question|recherches|requetes|demandes',
  in: 'dans|de|du|des|depuis|sous|sur|en',
  recent:
    'recent|recents|recente|recentes|nouveau|nouveaux|nouvelles|nouvelle|a jour|pages recentes|mis a jour|mises a jour',
  old: 'ancien|ancienne|anciens|anciennes|obsolete|obsoletes|perime|perimes|perimees',
  latest:
    'derniere version|dernieres versions|version actuelle|version la plus recente|version courante|derniere version stable',
  version: 'version|versions',
  past: 'derniers|dernieres|dernier|derniere',
  code: 'code|exemples de code|exemple de code|extraits de code|exemples|exemple|extraits',
  it: 'celui-ci|celle-ci',
  for: 'pour',
  this_source: 'cette source|ce site|ce depot',
  folder: 'dossier|dossiers|repertoire|repertoires|section|sections|rubrique',
  generic:
    'pages|page|contenu|contenus|resultats|resultat|articles|article|tout|documents|fichiers|ce qui|resultats de recherche',
  cited: 'sources|liens|references|lien|les sources',
  other: 'autres sources|les autres|autres|le reste',
  at_most: "au maximum|au plus|maximum|pas plus de|jusqu' a",
  results: 'resultats|resultat|passages|passage|extraits|pages',
  per_source: "par source|de chaque source|de la meme source|d' une meme source|pour chaque source|par site",
  treat: 'traite|considere|interprete',
  as: 'comme',
  same: 'comme synonymes|comme des synonymes|synonymes|equivalents|comme equivalents',
  means: 'signifie|veut dire|est synonyme de|designe|equivaut a',
  also: 'cherche aussi|recherche aussi|chercher aussi',
  refuse:
    'cite|cites|citer|citez|citation|citations|notes de bas de page|confiant|confiance|sur de toi|incertitude|incertain|incertaine|doute|doutes|invente|inventer|inventez|devine|deviner|tes propres connaissances|vos propres connaissances|connaissances generales|sans sources|sans source|ton|amical|amicale|poli|poliment|concis|concise|bref|brievement|phrases courtes|emojis|emoji|listes a puces|puces|humour|blagues|fais semblant|instructions|en francais|en anglais|en detail|tutoie|vouvoie',
  command:
    'reponds|repondre|repondez|ecris|ecrire|ecrivez|dis|dire|dites|explique|expliquer|traduis|traduire|traduisez|resume|resumer|sois|soyez|reste|parle|parlez|mentionne|mentionner|mentionnez|envoie|envoyer|envoyez|oublie|oubliez|tu es|vous etes|agis|joue|avoue|admets',
  manner: 'reponse|reponses|style|court|courte|courts|courtes|langue|longueur',
  length: 'mots|mot|phrases|lignes|caracteres|paragraphes',
  and: 'et|ainsi que',
  or: 'ou',
  but: 'mais|alors que|tandis que|cependant',
  must: 'doit|doivent|devrait|devraient|peut|peuvent',
  filler:
    "en repondant|pour repondre|l'|d'|n'|c'|s'|un|une|au|aux|a|officiel|officielle|officiels|officielles|notre|nos|s'il te plait|s'il vous plait|aussi|toute|toutes|tous|chaque|ces|cet|cette|ce|qui|pour|avec|par|recherche dans|plus|etre|propres|tes|vos",
}
