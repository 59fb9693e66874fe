/** Words of a request that say nothing about its subject. */
export const GENERAL_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its their i we you they he she me my our your somebody someone anyone user users
  people team person and or but not no nor of in on at to for from with without by as into about between than then so if
  when where which what who how why is are was be been being do does did done can could should would will may might must
  has have had there here give gives given return returns show shows shown tell tells get gets make makes made create
  creates build builds want wants need needs look looks up find finds list lists explain explains answer answers help
  helps use uses used using tool tools helper assistant name names named page pages doc docs documentation source sources
  each one two three few several all any only also such like likely other another more most less same different way ways
  thing things example examples table text link links linked please decide whatever include including without prose agent
  agents copy input output value values first second order whole main good new old available possible via per both either
  neither much many side exactly sentence sentences short brief minutes read reader points question questions change
  changes changed compare compares comparison checklist glossary summary summarise summarize schema
  ein eine einen der die das und oder mit für von zum zur den dem wie was ist sind werkzeug begriff beispiel erklärt
  un une le la les des du de et ou pour avec qui que est sont outil montre donnée donné exemples code tâche
  una el los las y con para por que es son muestra sus dos herramienta diferencias fuentes compara`.split(/\s+/),
)
