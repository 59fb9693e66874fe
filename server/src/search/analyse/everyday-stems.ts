/**
 * Stems of common English words of four letters or more: sizes 10 to 35 of SCOWL (http://wordlist.aspell.net), stemmed
 * by the English stemmer of `stem.ts`. Precomputed, because stemming 40,000 words at every start would take a tenth of
 * a second.
 *
 * Copyright 2000-2016 by Kevin Atkinson. Permission to use, copy, modify, distribute and sell these word lists, the
 * associated scripts, the output created from the scripts, and its documentation for any purpose is hereby granted
 * without fee, provided that the above copyright notice appears in all copies and that both that copyright notice and
 * this permission notice appear in supporting documentation. Kevin Atkinson makes no representations about the
 * suitability of this array for any purpose. It is provided "as is" without express or implied warranty.
 */
export const EVERYDAY_STEMS = `
  aardvark aback abacu abacus abandon abat abbei abbot abbrevi abdic abdomen abdomin abduct aberr abet abhor abhorr
  abid abil abject abl ablaz abler ablest abli abnorm aboard abod aboli abolish abomin abor aborigin abort abound
  about abov aboveboard abras abreast abridg abroad abrupt abruptest abruptli abscess abscond absenc absent absente
  absolut absolutest absolv absorb absorp abstain absten abstin abstrac abstract abstrus absurd absurdest absurdli
  abund abundantli abus abysm abyss ac academ academi acced acceler accent accentu accept access accessori accid
  accident acclaim acclim acclimat acclimatis accolad accommod accompani accompanist accomplic accomplish accord
  accordingli accordion accost account accredit accru accumul accur accuraci accus accustom ach achiev acid
  acknowledg acn acorn acoust acquaint acquiesc acquir acquisi acquit acquitt acr acreag acrid acridest acrimoni
  acrobat acronym across acryl act action activ activist actor actress actual actuari acumen acupunctur acut acutest
  ad adag adam adapt adaptor add addendum addic addict addit addition address addresse adept adequ adher adhes
  adhesion adjac adject adjoin adjourn adjunct adjust administ administr admir admis admiss admit admitt admittedli
  admoni admonish adob adolesc adop adopt ador adorn adrift adroit adroitli adul adult adulter adulteri adulthood
  advanc advantag advent adventur adverb adverbi advers adversari adversest advert advertis advic advis advisori
  advoc aeon aerial aerodynam aeroplan aerosol aerospac aesthet afar affabl affair affec affect affection affidavit
  affili affin affirm affix afflic afflict affluenc affluent afford affront afield aflam afloat afoot aforemen
  aforesaid afraid afresh after aftereffect afterl afterlif aftermath afternoon afterthought afterward ag again
  against agenc agenda agent aggrav aggreg aggres aggress aggressor aghast agil agit aglow agnost agnostic agon
  agoni agonis agre agreeabl agreement agricultur aground ahead ahoi aid ail ailment aim aimless aimlessli air
  airborn aircraft airfield airi airier airiest airlin airmail airplan airport airstrip airtight aisl ajar akin al
  ala alarm alarmingli alarmist albeit albino album alcohol alcov alert alga algebra algorithm alia alias alibi
  alien alight align alik alimoni aliv alkali alkalin allai alleg allegedli allegi allegor allegori allei allerg
  allergi allevi alli allianc allig alloc alloi allot allow allud allur allusion alm almanac almighti almond almost
  aloft alon along alongsid aloof aloud alpha alphabet alphanumer alreadi also altar alter altern although altitud
  alto altogeth altruism altruist aluminium aluminum alwai amalgam amass amateur amateurish amaz amazingli
  ambassador amber ambianc ambidextr ambienc ambient ambigu ambiti ambition ambival ambl ambul ambush amen amend
  amethyst amiabl amic amid amidst amiss ammonia ammuni amnesia amnesti amoeba amok among amongst amor amorph amount
  amp amper ampersand amphetamin amphibi amphibian amphitheat amphitheatr ampl ampler amplest ampli amplif amplifi
  amplitud amput amulet amus amusingli anachron anaem anaemia anaesthesia anaesthet anagram anal analges analog
  analogu analys analysi analyst analyt analyz anarch anarchi anarchist anathema anatom anatomi ancestor ancestr
  ancestri anchor anchorag anchovi ancient ancientest android anecdot anem anemia anesthesia anesthet anew angel
  anger angl angler angri angrier angriest angrili angst anguish angular anim animos ankl annal annex annihil
  anniversari annoi annot announc annoy annoyingli annual annuiti annul anoint anomal anomali anon anonym anorak
  anoth answer ant antagon antagonis antagonist anteat antelop antenna anthem anthil antholog anthrax anthropolog
  anthropologist antibiot antibodi antic anticip anticlimax antidot antifreez antipathi antiqu antisept antisoci
  antithes antithesi antler antonym anu anus anvil anxieti anxiou anxious anybodi anyhow anyon anyplac anyth anywai
  anywher aorta ap apart apartheid apathet apathi apertur apex aphor apiec aplomb apocryph apolog apologet apologis
  apostl apostroph appal appallingli appar apparatu apparatus apparel appari appeal appear appeas append appendag
  appendic appendix appet appetis appetit appl applaud applaus appli applianc applic appoint appointe apposit
  apprais appreci apprehen apprehend apprehens apprent apprentic apprenticeship approach appropri approv approxim
  apricot apron apter aptest aptitud aptli aquamarin aquarium aquat aqueduct ar arabl arbit arbitr arbitrari
  arbitrarili arbor arbour arc arcad arcan arch archaeolog archaeologist archaic archbishop archer archeri archest
  archetyp archipelago architect architectur archiv archwai ardent ardor ardour arduou arduous area arena argu
  arguabl argument aria arid aris arisen aristocraci aristocrat arithmet ark arm armadillo armament armchair armi
  armistic armor armori armour armouri armpit aroma aromat aros around arous arrai arraign arrang arrear arrest
  arriv arrog arrogantli arrow ars arsen arson art artefact arteri arthrit arthriti artichok articl articul artifact
  artific artifici artilleri artisan artist artistri artwork asbesto ascen ascend ascent ascertain ascet ascrib
  asexu ash asham ashcan ashen ashor ashtrai asid ask askanc askew asleep asparagu aspect aspen asper asphalt
  asphyxi aspir aspirin ass assail assassin assault assembl assent asser assert assess assessor asset assign assimil
  assist associ assort assum assump assur asterisk asteroid asthma astonish astonishingli astound astrai astrid
  astring astrolog astronaut astronom astronomi astut astutest asylum asymmetri asynchron atheism atheist athlet
  atla atlas atmospher atom aton atroc atroci attach attack attain attempt atten attend attent attest attic attir
  attitud attornei attrac attract attribu attribut auburn auction audac audaci audibl audienc audio audit audition
  auditor auditori auditorium augment august augustest aunt aura aural auspici auster austerest authent author
  authoris authorit authoritarian authorship auto autobiograph autobiographi autocraci autocrat autograph autom
  automat automobil automot autonom autonomi autopsi autumn auxiliari avail avalanch avaric avarici aveng avenu aver
  averag avers avert aviat avid avocado avoid avow aw awai await awak awaken awar award awesom awful awfullest
  awfulli awhil awkward awkwardest awkwardli awn awok awoken awri ax axi axiom axiomat axl ay azalea azur babbl babe
  babi babier babiest baboon babyish bachelor back backbon backer backfir backgammon background backhand backlash
  backlog backpack backsid backslash backspac backstag backtrack backward backwood bacon bacteri bacteria bacterium
  bad badder baddest bade badg badger badli badminton baffl bag bagel baggag baggi baggier baggiest bai bail bait
  bake baker bakeri balanc balconi bald balder baldest bale balk ball ballad ballast ballerina ballet ballist
  balloon ballot ballroom balm balmi balmier balmiest balonei bamboo bamboozl ban banal banana band bandag bandanna
  bandi bandier bandiest bandit bandstand bandwagon bandwidth bang bani banish banist banjo bank banker banknot
  bankrupt bankruptci banner banquet banter baptis baptism baptiz bar barb barbar barbarian barbecu barber barbitur
  bard bare bareback barefoot barer barest barg bargain bariton bark barlei barman barn barnacl barnyard baromet
  baron baroqu barrag barrel barren barrenest barrett barricad barrier barrist bartend barter base basebal baselin
  basement baser basest bash basi basic basil basin bask basket basketbal bass bassoon bast bastard bat batch bath
  bathroom bathtub baton batsman battalion batter batteri battl battlefield battleship baud baulk bawdi bawdier
  bawdiest bawl bayonet bayou bazaar be beach beacon bead beadi beadier beadiest beagl beak beaker beam bean bear
  bearabl beard bearer beast beat beaten beater beauti beautician beautifi beautifulli beaver becam becaus beckon
  becom bed bedbug bedcloth bedder bedlam bedridden bedrock bedroom bedsid bedspread bedtim bee beech beef beefi
  beefier beefiest beehiv been beeper beer beeswax beet beetl beev befal befallen befel befit befor beforehand
  befriend beg began beggar begin beginn begrudg beguil begun behalf behalv behav behavior behaviour behead beheld
  behind behold beig belabor belabour belat belatedli belch belfri beli belief believ belittl bell bellboi bellhop
  belli belliger bellow belong belov below belt bemoan bemus bench bend bender beneath benedic benefactor benefici
  beneficiari benefit benevol benight benign bent bequeath bequest bereav bereft beret berri berserk berth beseech
  beset besid besieg besought best bestial bestow bet beta betcha betrai betray betroth better bettor between
  beverag bewar bewild bewilder bewitch beyond bia bias bib bibl biblic bibliograph bibliographi bicentenni bicker
  bicycl bid bidden bide biennial bifoc bigam bigami bigamist bigger biggest bigot bigotri bike bikini bilater bile
  bilingu bill billboard billfold billiard billion billow bin binari bind binder bingo binomi biochem biochemistri
  biodegrad biograph biographi biolog biologi biologist bipartisan bipe biplan birch bird birdcag birth birthdai
  birthmark birthplac biscuit bisect bisexu bishop bison bit bitch bite bitmap bitten bitter bitterest bitterli
  bittersweet bizarr blab black blackberri blackbird blackboard blacken blacker blackest blackhead blackjack
  blacklist blackmail blackout blacksmith blacktop bladder blade blame blameless blamer blanch blancmang bland
  blander blandest blank blanker blankest blanket blankli blare blasphem blasphemi blast blaster blatant blatantli
  blaze blazer bleach bleak bleaker bleakest bleari blearier bleariest bleat bled bleed blemish blend bless blew
  blight blimp blind blinder blindest blindfold blindingli blindli blink blinker blip bliss blissfulli blister blith
  blither blithest blitz blizzard blob bloc block blockad blockag blockbust blockhead blog blogger blond blonder
  blondest blood bloodhound bloodi bloodier bloodiest bloodsh bloodshot bloodstream bloodthirsti bloodthirstiest
  bloom blossom blot blotch blotter blous blow blown blowout blowtorch blu blubber bludgeon blue bluebel blueberri
  bluebird bluegrass blueprint bluer bluest bluf bluff bluffer bluffest blunder blunt blunter bluntest bluntli blur
  blurb blurt blush bluster boa boar board boarder boardwalk boast boastfulli boat bob bobbin bobcat bobsl bobsled
  bode bodi bodic bodili bodyguard bodywork bog boggl bogu boi boil boiler boister bold bolder boldest boldli
  bologna bolster bolt bomb bombard bomber bond bondag bone bonfir boni bonier boniest bonnet bonu bonus boo boobi
  book bookcas bookend bookkeep booklet bookmark bookshelf bookshop bookstor bookworm boom boomerang boon boor
  boorish boost booster boot boote booth booti bootleg bootstrap booz border borderlin bore boredom boringli born
  borough borrow bosom boss bossi bossier bossiest botan botani botanist botch both bother bothersom bottl
  bottleneck bottom bottomless bough bought boulder boulevard bounc bound boundari boundless bounti bouquet bourbon
  bourgeoi bourgeoisi bout boutiqu bovin bow bowel bowl bowleg bowler box boxcar boxer boycot boycott boyfriend
  boyhood boyish bra brace bracelet bracket brackish brag braggart brai braid brain braini brainier brainiest
  brainless brainstorm brainwash brais brake bran branch brand brandi brandish brash brasher brashest brass brassi
  brassier brassiest brat bravado brave braver braveri bravest bravo brawl brawn brawni brawnier brawniest brazen
  brazier breach bread breadth breadwinn break breakabl breakdown breakfast breakneck breakpoint breakthrough
  breakwat breast breath breather breathless breathtak bred breed breeder breez breezi breezier breeziest brethren
  breviti brew breweri bribe briberi brick bricklay bridal bride bridegroom bridesmaid bridg bridl brief briefcas
  briefer briefest briefli brigad bright brighten brighter brightest brightli brillianc brilliant brilliantli brim
  brimston brine bring brini brinier briniest brink brisk brisker briskest briskli bristl britch brittl brittler
  brittlest broach broad broadcast broaden broader broadest broadli broadsid brocad broccoli brochur broil broiler
  broke broken broker bronchiti bronco bronz brooch brood brook broom broth brother brotherhood brotherli brought
  brow browbeat browbeaten brown browner brownest browni brows bruis brunch brunett brunt brush brusqu brusquer
  brusquest brutal brute brutish bubbl bubblier bubbliest buck bucket buckl bud buddi budg budget buf buff buffalo
  buffer buffet buffoon bug bugger buggi buggier buggiest bugl bugler bui build builder built bulb bulbou bulg bulk
  bulki bulkier bulkiest bull bulldog bulldoz bullet bulletin bullfight bullfrog bulli bullion bum bumblebe bummer
  bummest bump bumper bumpi bumpier bumpiest bun bunch bundl bung bungalow bungl bungler bunion bunk bunker bunni
  buoi buoyanc buoyant bur burbl burden burdensom bureau bureaucraci bureaucrat burger burgl burglar burglari buri
  burial burlap burli burlier burliest burn burner burnish burnt burp burr burro burrow bursar burst buse bush
  bushel bushi bushier bushiest busi busier busiest busili businessman businessmen businesswoman businesswomen buss
  bust bustl busybodi but butcher butcheri butler butt butter buttercup butterfli butteri buttermilk butterscotch
  buttock button buttonhol buttress buxom buyer buzz buzzard buzzer bye bygon bypass bystand byte bywai cab cabaret
  cabbag cabin cabinet cabl caboos cacao cach cackl cacti cactu caddi cadenc cadet cafeteria caffein cage cagei
  cagier cagiest cajol cake calam calcium calcul calculi calculu calendar calf calib calibr calico calk call callabl
  caller calligraphi callou callous callow callu callus calm calmer calmest calmli calori calv camaraderi came camel
  cameo camera camouflag camp campaign camper campu campus can canal canari cancel cancer candi candid candidaci
  candidli candl candlestick candor candour cane canin canist canker canneri canni cannib cannier canniest cannon
  cannot cano canon canopi cant cantaloup cantanker canteen canter canva canvas canvass canyon cap capabl capac
  capacit capacitor cape caper capillari capit capitalis capitalist capitul capric caprici capsiz capsul captain
  caption captiv captor captur car caramel carat caravan carbohydr carbon carburetor carburettor carcass carcinogen
  card cardboard cardiac cardigan cardin care career carefre careful carefullest carefulli careless carelessli
  caress caretak cargo carib caricatur carnag carnal carnat carniv carnivor carol carous carp carpent carpentri
  carpet carri carriag carriagewai carrier carrion carrot cart cartel cartilag cartograph cartographi carton cartoon
  cartoonist cartridg cartwheel carv cascad case cash cashew cashier cashmer casino cask casket casserol cassett
  cast castawai caster castig castl castoff castrat casual casualti cat cataclysm catalog catalogu catapult cataract
  catastroph catcal catch catchi catchier catchiest catchment catech categor categori categoris cater caterpillar
  catfish cathedr cathol catnap catnip cattl catwalk caucu caucus caught cauliflow caulk caus causal causewai
  caustic caution cautiou cautious cavali cavalri cave caveat cavern caviar caviti cavort caw ceas ceasefir
  ceaseless ceaselessli cedar cede ceil celebr celeri celesti celib celibaci cell cellar cellist cello cellophan
  cellular cellulos cement cemeteri censor censorship censu censur census cent centenni center centerpiec centimet
  centimetr centiped centr central centralis centrepiec centrifug centuri ceram cereal cerebr ceremoni certain
  certainli certainti certif certifi cervic cessat chaf chafe chaff chagrin chain chainsaw chair chairman chairmen
  chairperson chalet chalic chalk chalki chalkier chalkiest challeng chamber chameleon champ champagn champion
  championship chanc chancellor chandeli chang changeabl changeov channel chant chao chaotic chap chapel chaperon
  chaplain chapter char charact character characteris characterist charcoal charg chargeabl charger chariot charisma
  charismat charit chariti charlatan charm chart charter chase chasm chassi chast chasten chaster chastest chastis
  chastiti chat chatter chatterbox chatti chattier chattiest chauffeur chauvinist cheap cheapen cheaper cheapest
  cheapli cheat check checker checkout checkpoint checkup cheek cheep cheer cheerful cheerfullest cheerfulli cheeri
  cheerier cheeriest chees cheesecloth cheetah chef chemic chemist chemistri chequ chequer cherish cherri cherub
  cherubim chess chest chestnut chew chewi chewier chewiest chic chicer chicest chick chicken chide chief chiefer
  chiefest chiefli chieftain child childbirth childhood childish childlik children chili chill chiller chillest
  chilli chillier chilliest chime chimnei chimp chimpanze chin china chink chintz chip chipmunk chipper chiropractor
  chirp chisel chivalr chivalri chlorin chloroform chlorophyl chocol choic choicer choicest choir choke cholera
  cholesterol choos choosi choosier choosiest chop chopper choppi choppier choppiest choral chord chore choreograph
  choreographi chortl choru chorus chose chosen chow chowder christen chrome chromium chromosom chronic chronicl
  chronolog chrysanthemum chubbi chubbier chubbiest chuck chuckl chug chum chummi chummier chummiest chunk chunki
  chunkier chunkiest church churn chute cider cigar cigarett cinch cinder cinema cinnamon cipher circa circl circu
  circuit circuitri circul circular circulatori circumci circumcis circumfer circumflex circumst circumstanc
  circumstanti circumv circumven circus cistern citat cite citi citizen citizenship citric citru citrus civic civil
  civilian civilis clack clad clai claim clairvoy clam clamber clammi clammier clammiest clamor clamour clamp clan
  clandestin clang clank clap clapper claptrap claret clarif clarifi clarinet clariti clash clasp class classi
  classic classif classifi classmat classroom clatter claus claustrophobia claw clean cleaner cleanest cleanli
  cleanlier cleanliest cleans cleanser clear clearanc clearer clearest clearli cleat cleav cleavag cleaver clef
  cleft clemenc clench clergi clergyman clergymen cleric clerk clever cleverest cleverli click client cliff climact
  climat climax climb climber clime clinch cling clinic clink clip clipboard cliqu clitori cloak clock clockwis
  clockwork clod clog cloister clone close closer closest closet closur clot cloth clothespin cloud cloudburst
  cloudi cloudier cloudiest clout clove cloven clover clown clu club clubhous cluck clue clueless clump clumsi
  clumsier clumsiest clumsili clung cluster clutch clutter coach coagul coal coalesc coalition coars coarsen coarser
  coarsest coast coastal coaster coastlin coat coax cob cobalt cobbl cobbler cobra cobweb cocain cock cockei cocki
  cockier cockiest cockpit cockroach cocktail cocoa coconut cocoon cod code coeffici coerc coercion coexist coffe
  coffer coffin cog cogenc cogent cognac cognit coher coil coin coinag coincid coincident coke coland cold colder
  coldest coldli colic collabor collag collaps collar collarbon collat collater colleagu collec collect collector
  colleg collegi colli collid collision colloqui collusion colon colonel coloni colonis color colorless coloss
  colour colourless colt column coma comb combat combin combus combust come comeback comedi comedian comeli
  comeliest comest comet comfort comic comma command commando commemor commenc commend comment commentari commerc
  commerci commercialis commis commiser commission commit committe commod commodor common commonest commonli
  commonplac commonwealth commotion commun communic communion communiqu communist commut compac compact compactest
  compani companion companionship compar comparison compart compas compass compassion compat compatriot compel
  compens compet competi competit competitor compil complac complain complaint complement complementari complet
  completest completion complex complexion compli complianc compliant complic compliment complimentari compon compos
  composi composit compost composur compound comprehen comprehend comprehens compres compress compris compromis
  compul compuls compulsori compunc comput computer computeris comrad comradeship con concaten concav conceal conced
  conceit conceiv concentr concep concept conceptu concern concert concerto conces concili concis concisest conclud
  conclus conclusion concoc concoct concord concours concret concur concurr concus condemn condens condescend
  condiment condition condol condom condominium condon condor conduc conduct conductor cone confec confeder
  confederaci confer conferr confes confess confetti confid confidenti configur confin confirm confisc conflict
  conform confound confront confus confusion congeal congeni conges congest conglomer congratul congreg congress
  congressman congressmen congresswoman congresswomen congruent conic conif conifer conjectur conjug conjunc conjur
  connec connect connector connoisseur connot conquer conqueror conquest conscienc conscienti consciou conscious
  consecr consecut consensu consensus consent consequ consequenti conserv conservat conservatori consid consider
  consign consist consol consolid conson consort consortium conspicu conspir conspiraci constanc constant constantli
  constel constern constip constitu constitut constitution constrain constraint constric constrict constru construc
  construct consul consular consult consum consumer consumm consump contact contagi contagion contain contamin
  contempl contemporari contempt contemptu conten contend content contenti contest context contextu contigu contin
  continent conting continu continuum contor contort contour contraband contrac contracep contracept contract
  contractor contractu contradic contradict contradictori contrap contrari contrast contraven contribu contribut
  contributor contributori contrit contriv control controversi convalesc convec convei conven conveni convent
  convention conver converg convers convert convex convey convic convict convinc convincingli convoi convolut convul
  convuls coo cook cookbook cooker cooki cool cooler coolest coolli coop cooper coordin cop cope copi copier copiou
  copious copper copperhead copul copyright coral cord cordial cordless cordon corduroi core cork corkscrew corn
  cornea corner cornet cornflak corni cornier corniest cornmeal cornstarch corollari coron coronari corp corpor
  corps corpu corpul corpuscl corral correc correct correctest correctli corrector correl correspond correspondingli
  corridor corrobor corrod corros corrosion corrup corrupt corruptest corsag corset cortex cosi cosier cosiest
  cosili cosmet cosmic cosmo cosmolog cosmonaut cosmopolitan cosmos cost costli costlier costliest costum cot cottag
  cotton cottontail cottonwood couch cougar cough could council councillor councilor counsel counsellor counselor
  count countabl countdown counten countenanc counter counteract counterattack counterbal counterbalanc
  counterclockwis counterexampl counterfeit counterpart countersign countess counti countless countri countryman
  countrymen countrysid coup coupl coupon courag courier cours courser court courteou courteous courtesi courthous
  courtroom courtship courtyard cousin cove coven cover coverag covert covertli covet cow coward cowardic cowardli
  cowboi cower cowgirl cowhid coyer coyest coyot cozi cozier coziest cozili crab crabbi crabbier crabbiest crack
  cracker crackl crackpot cradl craft crafti craftier craftiest craftili craftsman craftsmen crag craggi craggier
  craggiest cram cramp cranberri crane cranium crank cranki crankier crankiest crap crash crass crasser crassest
  crate crater crave crawl crayfish crayon craze crazi crazier craziest crazili creak creaki creakier creakiest
  cream creami creamier creamiest creas creat creation creativ creator creatur credenc credenti credibl credit
  creditor credul creed creek creep creepi creepier creepiest cremat crepe crept crescendo crescent crest
  crestfallen cretin crevass crevic crew cri crib cricket crime crimin crimson cring crinkl crippl crise crisi crisp
  crisper crispest crispi crispli crisscross criteria criterion critic criticis critiqu croak crochet crock crockeri
  crocodil crocu crocus croft croni crook crooked crookedest croon crop croquet cross crossbow crosser crossest
  crossroad crosswalk crossword crotch crouch crow crowbar crowd crown crucial crucifi crucifix crucifixion crude
  cruder crudest cruditi cruel crueler cruelest crueller cruellest cruelli cruelti cruis cruiser crumb crumbl
  crumblier crumbliest crummi crummier crummiest crumpl crunch crunchi crusad crush crust crustacean crusti crustier
  crustiest crutch crux cry crybabi crypt cryptic crystal crystallis cu cub cube cubic cubicl cuckoo cucumb cuddl
  cuddli cue cuf cuff cuisin culinari cull culmin culpabl culprit cult cultiv cultur cum cumbersom cumul cun cunning
  cunningest cunningli cup cupboard curabl curat curb curd curdl cure curfew curio curios curiou curious curl curli
  currant currenc current curri curricula curriculum curs cursor cursori curt curtail curtain curter curtest curtsi
  curv curvatur cushion custard custodi custodian custom customari customis cut cutback cute cuter cutest cuticl
  cutleri cutlet cutter cutthroat cyanid cybernet cycl cyclic cyclist cyclon cylind cylindr cymbal cynic cypress
  cyst czar dab dabbl dachshund dad daddi daemon daffodil daft dagger dai daili dainti daintier daintiest daintili
  dairi dais daisi dalli dam damag dame damn damnat damnedest damp dampen damper dampest damsel danc dancer
  dandelion dandi dandier dandiest dandruff danger dangl dank danker dankest dapper dapperest dare daredevil dark
  darken darker darkest darkli darl darn dart dash dashboard dastardli data databas date datum daub daughter daunt
  dauntless dawdl dawn daybreak daydream daylight daytim daze dazzl deacon dead deaden deader deadest deadli
  deadlier deadliest deadlin deadlock deaf deafer deafest deal dealer dealt dean dear dearer dearest dearli dearth
  death deathb deav debas debat debaucheri debil debilit debit debonair debri debrief debt debtor debug debugg
  debunk debut decad decai decant decapit deceas deceit deceitfulli deceiv decenc decent decentr decentralis decep
  decept decibel decid decidedli decidu decim deciph decis decision deck declar declen declin decod decoi decompos
  decomposi decor decorum decre decreas decrepit decri dedic deduc deduct deed deem deep deepen deeper deepest
  deepli deer defac defam defamatori default defeat defeatist defec defect defenc defenceless defend defens
  defenseless defer deferenti defi defianc defiant defiantli defici deficit defil defin defini definit deflat deflec
  deflect deform defraud defrost deft defter deftest deftli defunct degener degrad degre dehydr deifi deign deiti
  dejec deject delai delect deleg delet deleteri deletion deli deliber delic delicaci delicatessen delici delight
  delimit delinqu deliri delirium deliv deliver deliveri delta delud delug delusion delux delv demagogu demand
  demean demeanor demeanour dement dementia demerit demis democraci democrat demoli demolish demon demonstr demor
  demoralis demot demotion demount demur demurest den deni denial denigr denim denomin denot denounc dens denser
  densest densiti dent dental dentist dentistri denunci deodor deodoris depart department departur depend depic
  depict deplet deplor deport depos deposit depot deprav deprec depreci depres depress depressingli depriv depth
  deputi derail derang derelict derid derision deriv derogatori derrick descend descent describ descrip descript
  descriptor desecr desegreg desert deserv design desir desist desk desktop desol despair desper despic despis
  despit despond despot dessert destabil destabilis destin destini destitu destitut destroi destroy destruc destruct
  detach detail detain detec detect detector deten deter deterg deterior determin determinist deterr detest dethron
  deton detour detract detriment devalu devast develop deviant deviat devic devil deviou devis devoid devolu devolv
  devot devote devotion devour devout devoutest devoutli dexter di diabet diabol diagnos diagnosi diagnost diagon
  diagram dial dialect diall dialog dialogu diamet diametr diamond diaper diaphragm diari diarrhea diarrhoea diatrib
  dice dictat dictatori dictatorship diction dictionari diesel diet dietari differ differenti difficult difficulti
  diffus diffusion dig diges digest digit digitis dignifi dignitari digniti digres digress dike dilapid dilat
  dilemma dilig dill dilut dilution dim dime dimen dimension dimer diminish diminut dimli dimmer dimmest dimpl din
  dine diner dinghi dingi dingier dingiest dinner dinosaur dioces dioxid dip diphtheria diphthong diploma diplomaci
  diplomat diplomata dire direc direct directest directli director directori direr direst dirg dirt dirti dirtier
  dirtiest disabl disadvantag disagr disagre disallow disambigu disappear disappoint disapprov disarm disarma
  disarrai disast disastr disavow disband disbelief disbeliev disburs disc discard discern discharg discipl
  disciplin disciplinari disciplinarian disclaim disclos disclosur disco discolor discolour discomfort disconcert
  disconnect disconsol discont discontinu discord discount discourag discours discourt discourtesi discov discoveri
  discredit discreet discreetest discreetli discrep discret discretion discretionari discrimin discriminatori discu
  discus discuss disdain diseas disembark disenchant disengag disentangl disfavor disfavour disfigur disgrac
  disgruntl disguis disgust disgustingli dish dishearten dishonest dishonesti dishonestli dishonor dishonour
  dishwash disillu disillusion disincent disinfect disingenu disinherit disintegr disinterest disjoint disk dislik
  disloc dislodg disloy disloyalti dismai dismal dismantl dismemb dismiss dismount disobedi disobei disord
  disorderli disown dispar disparag dispassion dispatch dispel dispens dispensari disper dispers displac displai
  displeas displeasur dispos disposi dispossess disproportion disprov disput disqualifi disquiet disregard disrepair
  disreput disrespect disrup disrupt dissatisfac dissatisfi dissec dissect dissemin dissen dissent dissert disservic
  dissid dissimilar dissip dissoci dissolu dissolut dissolv disson dissuad distanc distant distantli distast distend
  distil distilleri distinc distinct distinctest distinctli distinguish distor distort distrac distract distraught
  distress distressingli distribu distribut distributor district distrust disturb disus ditch dither ditti ditto
  dive diver diverg divers diversifi divert divest divid dividend divin divinest divis division divisor divorc
  divulg dizzi dizzier dizziest do docil dock doctor doctrin document documentari dodg dodo doe doer dog doggedli
  doggerel doghous dogma dogmat dogwood doili doldrum dole dolefulli doll dollar dolli dolphin domain dome domest
  domicil domin dominion domino don donat done donkei donor doodl doom door doorman doormen doorstep doorwai dope
  dopei dopier dopiest dormant dormitori dorsal dose dot dote doubl doubli doubt doubtfulli doubtless dough doughnut
  dour dourer dourest dous dove dowdi dowdier dowdiest down downcast downfal downgrad downheart downhil downi
  downier downiest downpour downright downstair downstream downtown downward dowri doze dozen drab drabber drabbest
  draconian draft drafti draftier draftiest draftsman draftsmen drag dragon dragonfli drain drainag drama dramat
  dramatis dramatist drank drape draperi drastic draught draughti draughtier draughtiest draughtsman draughtsmen
  draw drawback drawbridg drawer drawl drawn dread dreadfulli dream dreamer dreami dreamier dreamiest dreamt dreari
  drearier dreariest dredg dreg drench dress dresser dressi dressier dressiest dressmak drew dri dribbl drier driest
  drift driftwood drili drill drink drinkabl drinker drip drive drivel driven driver drivewai drizzl droll droller
  drollest drone drool droop drop dropout dross drought drove drown drows drowsi drowsier drowsiest drudg drudgeri
  drug druggist drugstor drum drummer drumstick drunk drunkard drunken drunkenli drunker drunkest dry dryer dryli
  dryness dual dualism dub dubiou dubious duchess duck duckl duct dud dude due duel duell duet duff dugout duke duli
  dull duller dullest dulli dumb dumbbel dumber dumbest dumbfound dummi dump dumpi dumpier dumpiest dumpl dumpster
  dunc dune dung dungeon dunk dunno dupe duplex duplic durabl durat dure duress dusk duski duskier duskiest dust
  dustbin dusti dustier dustiest dustmen dustpan duti dutifulli duvet dwarf dwell dweller dwelt dwindl dy dye dynam
  dynamit dynamo dynasti dysenteri dyslexia each eager eagerest eagerli eagl ear earach eardrum earl earli earlier
  earliest earmark earn earner earnest earnestli earshot earth earthi earthier earthiest earthli earthlier
  earthliest earthquak earthworm eas easel easi easier easiest easili east easterli eastern eastward easygo eat
  eaten eater eav eavesdrop eb ebb eboni eccentr ecclesiast echo eclect eclips ecolog ecologist econom economi
  economis economist ecosystem ecstasi ecstat ecumen eczema eddi edg edger edgewis edgi edgier edgiest edibl edict
  edific edit edition editor editori editorship educ eel eeri eerier eeriest effect effectu effemin effervesc effici
  effigi effort effortless effortlessli effus eg egalitarian egg eggplant ego egocentr egoism egot egotist ei
  eigenvalu eight eighteen eighteenth eighth eighti eightieth either ejacul ejec eject ek elabor elaps elast elat
  elbow elder elderli eldest elec elect elector electr electrician electrifi electrocu electrocut electrod
  electrolysi electromagnet electron electrostat eleg elegantli elegi element elementari eleph elev eleven eleventh
  elicit elig elimin elit elitist elk ellips ellipsi ellipt elm elong elop eloqu els elsewher elucid elud elus elv
  email eman emancip emb embalm embank embargo embark embarrass embassi embed embellish ember embezzl embitt emblem
  embodi emboss embrac embroid embroideri embryo embryon emerald emerg emigr emin emir emis emissari emit emot
  emotion empathi emperor emphas emphasi emphasis emphat emphysema empir emploi employ employe emporium empow
  empress empti emptier emptiest emul enabl enact enamel encapsul encas enchant encircl enclos enclosur encod
  encompass encor encount encourag encroach encryp encrypt encumb encumbr encyclopaedia encyclopedia end endang
  endear endeavor endeavour endem endiv endless endlessli endors endow endur endwai enema enemi energet energi
  enforc engag engend engin engrav engross engulf enhanc enigma enigmat enjoi enjoy enlarg enlighten enlist enliven
  enmiti enorm enough enquir enquiri enrag enrich enrol ensembl enshrin ensign enslav ensu ensur entail entangl
  enter enterpris entertain enthral enthusiasm enthusiast entic entir entireti entiti entitl entomolog entomologist
  entrail entranc entrant entrap entreat entreati entrench entri entropi entrust entwin enumer enunci envelop envi
  enviabl enviou envious environ environment envisag envoi enzym eon epaulet epaulett ephemer epic epidem epidermi
  epidermis epilepsi epilept epilogu episod epitaph epithet epitom epoch epsilon equal equalis equanim equat
  equatori equestrian equilater equilibrium equin equinox equip equit equiti equival equivoc er era erad eras erasur
  erec erect ergo ergonom erod erosion erot err errand errant errat erron error erstwhil erudit erup erupt escal
  escap escapad escort esophagi esophagu esoter especi espionag essai essenc essenti establish estat esteem estim
  estrang etch etern ether ethic ethnic etho etiquett etymolog eulog eulogi eulogis euphem eureka euthanasia ev
  evacu evad evalu evangel evangelist evapor evas evasion even evenest evenli event eventu ever evergreen everi
  everlast evermor everybodi everydai everyon everyth everywher evic evict evid evidenc evil evilest evillest evoc
  evok evolu evolutionari evolv ew exacerb exact exactest exactli exagger exalt exam examin exampl exasper excav
  exce exceed exceedingli excel excep except exception excerpt excess exchang excis excit exclaim exclam exclud
  exclus exclusion excommun excrement excret excruci excur excus execu execut execution executor exemp exemplari
  exemplifi exempt exer exercis exert exhal exhaus exhaust exhibi exhibit exhilar exhort exhum exil exist existenti
  exit exodu exodus exoner exorbit exot expan expand expans expatri expect expedi expedit expel expend expenditur
  expens experi experienc experiment expert expertis expertli expir expiri explain explan explanatori explet explic
  explicit explicitli explod exploit explor explos explosion expon exponenti export expos exposi exposur expound
  expres express expressli expresswai expul exquisit extant extemporan exten extend extens extent exterior extermin
  extern extinc extinct extinguish extol extor extort extortion extra extrac extract extracurricular extradi
  extradit extran extraordinari extraordinarili extrapol extraterrestri extravag extravagantli extrem extremest
  extremist extric extrovert exuber exud exult ey eyebal eyebrow eyelash eyelid eyesight eyesor eyewit fabl fabric
  fabul facad face faceless facet faceti facial facil facilit facsimil fact faction factor factori factoris factual
  faculti fad fade faec faggot fagot fail failur faint fainter faintest faintli fair fairer fairest fairi fairli
  faith faithfulli faithless fake falcon fall fallaci fallen fallibl fallout fals falsehood falser falsest falsetto
  falsif falsifi falsiti falter fame famili familiar familiaris famin famou fan fanat fanci fancier fanciest fanfar
  fang fantasi fantast farawai farc fare farewel farm farmer farmland farther farthest fascin fascism fascist
  fashion fast fasten faster fastest fastidi fat fatal fatalist fate father fatherhood fatherland fatherli fathom
  fatigu fatten fatter fattest fatti fattier fattiest fatuou faucet fault faulti faultier faultiest faultless fauna
  favor favorit favour favourit fawn faze fear fearfulli fearless fearlessli fearsom feasibl feast feat feather
  featheri featheriest featur fece fed feder federalist fee feebl feebler feeblest feed feedback feeder feel feeler
  feet feign feint felin fell feller fellest fellow fellowship felon feloni felt femal femin feminin feminist fenc
  fend fender ferment fern feroc feroci ferret ferri fertil fertilis fervent fervor fervour fester festiv festoon
  fetch fete fetid fetish fetter fetu fetus feud feudal fever feverish feverishli fewer fewest fezz fiasco fib
  fibber fiber fiberglass fibr fibreglass fich fickl fickler ficklest fiction fictiti fiddl fiddler fiddli fidel
  fidget fidgeti field fiend fiendish fiendishli fierc fiercer fiercest fieri fierier fieriest fiesta fifteen
  fifteenth fifth fifti fiftieth fig fight fighter figment figur figurehead filament filch file filet fill filler
  fillet filli film filmi filmier filmiest filter filth filthi filthier filthiest fin final finalis finalist financ
  financi finch find fine finer finess finest finger fingernail fingerprint fingertip finicki finickiest finish
  finit fir fire firearm firecrack firefight firefli fireman firemen fireplac fireproof firesid firewood firework
  firm firmer firmest firmli firmwar first firsthand firstli fiscal fish fisher fisheri fisherman fishermen fishi
  fishier fishiest fission fissur fist fit fitter fittest five fiver fix fixabl fixat fixtur fizz fizzi fizzl flabbi
  flabbier flabbiest flag flagpol flagrant flagrantli flagship flagston flail flair flak flake flaki flakier
  flakiest flamboy flamboyantli flame flamingo flammabl flank flannel flap flapjack flare flash flashback flasher
  flashest flashi flashier flashiest flashlight flask flat flatli flatten flatter flatteri flattest flaunt flautist
  flavor flavour flaw flawless flawlessli flea fleck fled fledg fledgl flee fleec fleeci fleecier fleeciest fleet
  fleeter fleetest flesh fleshi fleshier fleshiest flew flex flexibl fli flick flicker flier fliest flight flighti
  flightier flightiest flightless flimsi flimsier flimsiest flinch fling flint flip flippant flipper flippest flirt
  flirtat flirtati flit float flock flog flood flooder floodlight floor flop floppi floppier floppiest flora floral
  florid florist floss flotilla flounc flounder flour flourish flout flow flower floweri floweriest flown fluctuat
  flue fluenci fluent fluentli fluf fluff fluffi fluffier fluffiest fluid fluke flung flunk flunki fluoresc flurri
  flush flusher flushest fluster flute flutist flutter flux fly flyer flyover foal foam foami foamier foamiest focal
  focu focus fodder foe fog fogei foggi foggier foggiest foghorn fogi foibl foil foist fold folder foliag folk
  folklor folksi folksier folksiest folli follow foment fond fonder fondest fondl fondli font food foodstuff fool
  foolhardi foolhardiest foolish foolishli foolproof foot footag footbal foothil foothold footlight footnot footpath
  footprint footstep footstool footwear footwork forag forai forbad forbear forbid forbidden forbor forborn forc
  forcefulli forcep forcibl ford fore forearm forebod forecast forefath forefing forefront forego foregon foreground
  forehead foreign foreleg foreman foremen foremost forens foreplai forerunn foresaw forese foreseen foreshadow
  foresight foreskin forest forestal forestri foretast foretel forethought foretold forev forew forewarn foreword
  forfeit forg forgav forger forgeri forget forgiv forgiven forgo forgon forgot forgotten fork forlorn form formal
  formalis format former formerli formid formless formul formula fornic forsak forsaken forsook forswear forswor
  forsworn fort forth forthcom forthright forthwith forti fortieth fortif fortifi fortitud fortnight fortnightli
  fortress fortuit fortun forum forward forwardest forwent fossil fossilis foster fought foul fouler foulest found
  foundat founder foundl foundri fount fountain four fourteen fourteenth fourth fowl fox foxi foxier foxiest foyer
  fraca fracas fractal fraction fractur fragil fragment fragmentari fragranc fragrant frai frail frailer frailest
  frailti frame framework franc franchis frank franker frankest frankfurt frankli frantic fratern fraternis fraud
  fraudul fraught freak freckl free freed freedom freehand freelanc freeli freer freest freewai freez freezer
  freight freighter french frenzi frequenc frequent frequentest fresh freshen fresher freshest freshli freshman
  freshmen freshwat fret fretfulli fri friar friction friend friendli friendlier friendliest friendship friez frigat
  fright frighten frighteningli frightfulli frigid frill frilli frillier frilliest fring frisk friski friskier
  friskiest fritter frivol frizzi frizzier frizziest frock frog frolic frolick from frond front frontag frontal
  frontier frost frostbit frostbitten frosti frostier frostiest froth frothi frothier frothiest frown froze frozen
  frugal fruit fruiti fruitier fruitiest fruition fruitless fruitlessli frustrat fry fudg fuel fuell fugit fulcrum
  fulfil full fuller fullest fulli fumbl fume fumig function fund fundament fundamentalist funer fungi fungicid
  fungu funnel funner funnest funni funnier funniest funnili fur furi furiou furious furl furlong furlough furnac
  furnish furnitur furor furri furrier furriest furrow further furthermor furthest furtiv fuse fuselag fusion fuss
  fussi fussier fussiest futil futur futurist fuzz fuzzi fuzzier fuzziest gab gabl gadget gag gai gaieti gaili gain
  gait gal gala galact galaxi gale gall gallant gallantri gallei galleri galliv gallon gallop gallow galor galvan
  galvanis gambit gambl gambler game gamer gamest gamma gamut gander gang gangl gangplank gangren gangster gangwai
  gap gape garag garb garbag garbl garden gardenia gargl gargoyl garish garland garlic garment garnet garnish garret
  garrison garrul garter gase gaseou gash gasket gasolin gasp gass gastric gate gatewai gather gaudi gaudier
  gaudiest gaug gaunt gaunter gauntest gauntlet gauz gave gavel gawk gawki gawkier gawkiest gayer gayest gaze gazel
  gazet gazett gear gee geed gees gelatin geld gem gender gene genealog gener genera generalis generos genes genesi
  genet geneticist geni genial genii genit geniu genius genocid genr gent gentil gentl gentleman gentlemen gentler
  gentlest gentli gentri genu genuin geograph geographi geolog geologi geologist geometr geometri geranium gerbil
  germ germicid germin gestat gesticul gestur get getawai geyser ghastli ghastlier ghastliest ghetto ghost ghostli
  ghostlier ghostliest ghoul giant gibber gibberish gibe giddi giddier giddiest gift gig gigant giggl gild gill gilt
  gimm gimmick gin ginger gingerbread gingerli gingham giraff girder girdl girl girlfriend girlhood girlish girth
  gist give given gizzard glacial glacier glad gladden gladder gladdest glade gladiat gladli glamor glamoris glamour
  glanc gland glandular glare glass glassi glassier glassiest glasswar glaze gleam glean glee glen glib glibber
  glibbest glibli glide glider glimmer glimps glint glisten glitter gloat global globe globul globular gloom gloomi
  gloomier gloomiest glori glorif glorifi gloriou glorious gloss glossari glossi glossier glossiest glove glow
  glower glu glucos glue glum glummer glummest glut glutton gluttoni glycerin gnarl gnash gnat gnaw gnome gnu go
  goad goal goali goalkeep goat goate gob gobbl goblet goblin god godchild godchildren goddess godfath godless godli
  godlier godliest godlik godmoth godpar godsend goe goggl gold golden goldenest goldfish goldsmith golf golfer
  gondola gone goner gong gonna good goodby goodi goodnight goodwil gooei goof goofi goofier goofiest gooier gooiest
  goon goos gopher gore gorg gorgeou gori gorier goriest gorilla gosh gosl gospel gossam gossip gotten goug goulash
  gourd gourmet gout gover govern government governor gown grab grabber grace gracefulli graceless graciou gracious
  gradat grade grader gradient gradual graduat graffiti graffito graft grai grain gram grammar grammat gramophon
  grand grandchild grandchildren granddaught grander grandest grandeur grandfath grandios grandli grandmoth grandpar
  grandson grandstand granit granni granola grant granul granular grape grapefruit grapevin graph graphic graphit
  grappl grasp grass grasshopp grassi grassier grassiest grate gratefulli grater gratif gratifi gratitud gratuit
  gratuiti grave gravel graven graver gravest graveston graveyard gravi gravit graviti grayer grayest graze greas
  greasi greasier greasiest great greater greatest greatli greed greedi greedier greediest greedili green greenback
  greener greeneri greenest greenhorn greenhous greet gregari grei gremlin grenad grew greyer greyest greyhound grid
  griddl gridiron grief griev grievanc grievou grill grim grimac grime grimi grimier grimiest grimli grimmer
  grimmest grin grind grinder grindston grip gripe grisli grislier grisliest gristl grit gritti grittier grittiest
  grizzl grizzli grizzlier grizzliest groan grocer groceri groggi groggier groggiest groin groom groov groovi
  groovier grooviest grope gross grosser grossest grossli grotesqu grotto grouch grouchi grouchier grouchiest ground
  groundless groundwork group grouper grous grove grovel grow grower growl grown growth groyn grub grubbi grubbier
  grubbiest grudg gruel gruell gruesom gruesomest gruff gruffer gruffest gruffli grumbl grumpi grumpier grumpiest
  grunt guarante guarantor guard guardian gubernatori guerrilla guess guessabl guesswork guest guffaw gui guid
  guidanc guidebook guidelin guil guild guillotin guilt guilti guiltier guiltiest guiltili guiltless guinea guis
  guitar guitarist gulch gulf gull gullet gulli gullibl gulp gum gumdrop gummi gummier gummiest gumption gun gunfir
  gunman gunmen gunner gunpowd gunshot guppi gurgl guru gush gusher gust gusti gustier gustiest gut gutter guzzl
  gybe gym gymnasium gymnast gynaecolog gynaecologist gynecolog gynecologist gyrat gyroscop habit habitat habitu
  hack hacker hacknei hacksaw haddock haemoglobin haemophilia haemorrhag hag haggard haggl hai hail hailston hair
  haircut hairdo hairdress hairi hairier hairiest hairlin hale haler halest half halfwai halibut hall hallelujah
  hallmark hallucin hallwai halo halon halt halter halv ham hamburg hamlet hammer hammock hamper hamster hamstr
  hamstring hamstrung hand handbag handbook handcuf handcuff handed handi handicap handicraft handier handiest
  handiwork handkerchief handl handlebar handler handmad handout handrail handshak handsom handsomest handwrit hang
  hangar hanger hangout hangov hanker haphazard hapless happen happi happier happiest happili har harangu harass
  harbor harbour hard hardback harden harder hardest hardi hardier hardiest hardli hardlin hardship hardwar hardwood
  hare harebrain harem hark harlot harm harmfulli harmless harmlessli harmon harmoni harmonica harmonis harp harpist
  harpoon harpsichord harri harrow harsh harsher harshest harshli hart harvest hash hassl hast hasten hasti hastier
  hastiest hastili hat hatch hatchet hate hatefulli hatr haughti haughtier haughtiest haughtili haul haunt have
  haven havoc hawk haystack haywir hazard haze hazel hazi hazier haziest head headach header headfirst headi headier
  headiest headland headlight headlin headlong headmast headphon headquart headrest headroom headston headstrong
  headwai heal healer health healthcar healthi healthier healthiest heap hear heard hears hearsai heart heartach
  heartbeat heartbreak heartbroken heartburn hearten heartfelt hearth hearti heartier heartiest heartili heartless
  heat heatedli heater heath heathen heather heav heaven heavenli heavenliest heavi heavier heaviest heavili
  heavyweight heckl heckler hectic hedg hedgehog heed heedless heel hefti heftier heftiest heifer height heighten
  heinou heir heirloom held helicopt heliport helium hell hellish hello helm helmet help helper helpfulli helpless
  helplessli hem hemispher hemlock hemoglobin hemophilia hemorrhag hemp hen henc henceforth henchman henchmen hepat
  her herald herb herbivor herd here hereabout hereaft herebi hered hereditari herein heresi heret herewith heritag
  hermaphrodit hermit hernia hero heroic heroin heroism heron herp herself hesit heterogen heterosexu heurist hew
  hexadecim hexagon heydai hiatu hiatus hibern hiccup hick hickori hidden hide hideawai hideou hideous hierarch
  hierarchi hieroglyph high highbrow higher highest highland highli highlight highwai hijack hike hiker hilar hilari
  hill hillbilli hilli hillier hilliest hillsid hilt him himself hind hinder hindranc hindsight hing hint hinterland
  hip hipper hippest hippi hippopotamu hippopotamus hire hiss histogram histor histori historian hit hitch hitchhik
  hither hitherto hive ho hoard hoarder hoars hoarser hoarsest hoax hobbi hobbit hobbl hobbyhors hobgoblin hobnob
  hobo hock hockei hodgepodg hoe hog hoist hold holder holdup hole holi holidai holier holiest holler holli hollow
  hollowest holocaust holster homag home homei homeland homeless homeli homeliest homemad homesick homespun
  homestead homeward homework homicid homier homiest homogen homogenis homonym homophob homosexu hone honei honest
  honestest honesti honestli honeycomb honeymoon honeysuckl honk honor honorari honour hood hoodlum hoodwink hoof
  hook hoop hoorai hoot hooter hoov hop hope hopefulli hopeless hopelessli hopper hopscotch hord horizon horizont
  hormon horn hornet horni hornier horniest horoscop horrend horribl horrid horrif horrifi horror hors horseback
  horseman horseplai horsepow horseradish horsesho horticultur hose hosieri hospit hospitalis host hostag hostel
  hostess hostil hotb hotel hothead hotli hotter hottest hound hour hourglass hourli hous houseboat household
  housekeep housew housewarm housewif housework hove hovel hover how howev howl hu hub hubbub huddl hue huf huff
  huffi huffier huffiest hug huge huger hugest hulk hull hullabaloo hum human humanest humanis humanist humanitarian
  humanli humbl humbler humblest humbug humdrum humid humidifi humil humili hummingbird humor humorist humour hump
  hunch hunchback hundr hundredth hung hunger hungri hungrier hungriest hungrili hunk hunt hunter hurdl hurl hurrah
  hurri hurrican hurriedli hurt hurtl husband hush husk huski huskier huskiest huskili hustl hustler hut hutch
  hyacinth hybrid hydrant hydraul hydroelectr hydrogen hydroplan hyena hygien hymn hymnal hyperbol hyperten hyphen
  hypnosi hypnot hypnotis hypnotist hypochondria hypochondriac hypocrisi hypocrit hypotenus hypothes hypothesi
  hypothesis hypothet hyster hysteria ic iceberg icebreak icicl icier iciest icon idea ideal idealis idealist ident
  identif identifi ideolog idioci idiom idiomat idiosyncrasi idiosyncrat idiot idl idler idlest idli idol idolis
  idyl igloo ignit ignition ignor iguana ill illeg illegitim illicit illiter illiteraci illog illumin illusion
  illusori illustr illustri imag imageri imagin imaginari imbal imbecil imit immacul immateri immatur immeasur
  immedi immens immer immers immigr immin immobil immobilis immor immort immov immun immunis imp impact impair impal
  impart imparti impas impass impati impeach impecc imped impedi impel impend impenetr imper impercept imperfec
  imperfect imperfectli imperi imperialist imperil imperson impertin impervi impetu impetus imping impish implac
  implant implaus implement impli implic implicit implicitli implor impolit import importantli impos imposi imposs
  impostor impot impound impoverish impract imprecis impregn impres impress impression imprint imprison improb
  impromptu improp improperli improprieti improv improvis impud impuls impun impur impurest in inabl inac inaccess
  inaccur inaccuraci inact inadequ inadequaci inadmiss inadvert inadvis inalien inan inanest inanim inapplic
  inappropri inarticul inasmuch inaud inaugur inauspici inborn inbr inbre inbreed inbuilt incalcul incandesc incant
  incap incapac incapacit incarcer incarn incendiari incens incent incep incess incessantli incest incestu inch
  incid incident inciner incis incision incisor incit inclin includ inclus inclusion incognito incoher incom
  incompar incompat incompet incomplet incomprehens inconceiv inconclus incongru inconsequenti inconsider inconsist
  inconsol inconspicu inconveni inconvenienc incorpor incorrect incorrectli incorrig increas increasingli incred
  incredul increment incrimin incub incumb incur inde indebt indec indeci indecis indefens indefin indefinit indel
  indent independ indescrib indestruct indetermin index indic indict indiffer indigen indiges indigest indign
  indignantli indigo indirec indirect indirectli indiscr indiscreet indiscrimin indispens indispos indisput
  indistinct indistinguish individu individualist indivis indoctrin indol indomit indoor induc induct indulg
  industri industrialis industrialist ined ineffect ineffectu ineffici ineleg inelig inept ineptitud inequ inert
  inerti inertia inescap inevit inexact inexcus inexhaust inexor inexpens inexperi inexperienc inexplic inextric
  infal infam infami infanc infant infantil infantri infatu infeas infec infect infecti infel infer inferior inferno
  infertil infest infidel infield infiltr infin infinit infinitesim infirm infirmari infix inflam inflamm
  inflammatori inflat inflationari inflec inflex inflexion inflict influenc influenti influenza influx info inform
  infrac infrar infrastructur infrequ infring infuri infus infusion ingeni ingenu ingest ingrain ingrati ingratitud
  ingredi inhabit inhal inher inherit inhibi inhibit inhospit inhuman initi initial initialis injec inject injunc
  injur injuri injustic ink inki inkier inkiest inkl inlai inlaid inland inlet inmat inn innard innat inner
  innermost innkeep innoc innocu innov innuendo innumer inocul inoffens inop inopportun inordin input inquest inquir
  inquiri inquisi inquisit insan insanest insati inscrib inscrip inscrut insect insecticid insecur insensit insepar
  inser insert insid insidi insight insignia insignific insincer insinu insipid insist insofar insol insolubl insolv
  insomnia inspec inspect inspector inspir instabl instal instanc instant instantan instantli instead instep instig
  instil instinct institu institut institution institutionalis instruc instruct instructor instrument insubordin
  insubstanti insuffer insuffici insul insular insulin insult insur insurg insurmount insurrec intact intak intang
  integ integr intellect intellectu intellig inten intend intens intensest intensifi intent intention inter interac
  interact interced intercep intercept interchang intercom interconnect intercontinent intercours interdepend
  interest interestingli interf interfac interfer interim interior interjec interject interlock interlop interlud
  intermarri intermarriag intermedi intermediari intermin intermingl intermis intermitt intern internation internet
  interplai interplanetari interpol interpos interpret interraci interrog interrup interrupt intersec intersect
  interspers interst interstellar intertwin interv interven interview interweav interwov interwoven intestin intim
  intimaci intimid into intoler inton intox intract intramur intransit intraven intravenous intrepid intric
  intricaci intrigu intrins introduc introductori introspect introvert intrud intrus intrusion intuit intuition
  inund invad invalid invalu invari invasion invect inven invent inventor inventori inver invers invert invertebr
  invest investig investor inveter invigor invinc invis invit invoc invoic invok involuntari involuntarili involv
  invulner inward inwardli iodin ion iota irasc irat iri iridesc iris irk iron ironi irradi irrat irration
  irreconcil irrefut irregular irrelev irrepar irreplac irrepress irreproach irresist irrespect irrespons irretriev
  irrever irrevers irrevoc irrig irrit isl island isol issu isthmu isthmus ital italic italicis itch itchi itchier
  itchiest item itemis iter itiner itinerari itself ivi ivori jab jabber jack jackal jackass jackdaw jacket jackknif
  jackkniv jackpot jade jag jagged jaggedest jaguar jai jail jailer jalopi jam jamb jambore jangl janitor jar jargon
  jaundic jaunt jaunti jauntier jauntiest jauntili javelin jaw jawbon jaywalk jazz jealou jealous jealousi jean jeer
  jell jelli jellyfish jeopard jeopardi jeopardis jerk jerki jerkier jerkiest jersei jest jester jet jetti jettison
  jewel jewelleri jewelri jibe jiffi jig jiggl jigsaw jilt jingl jinx jitter jitteri jitteriest job jockei jocular
  jog jogger joi join joint jointli joke joker jolli jollier jolliest jolt jostl jot journal journalist journei
  jovial joy joyful joyfullest joyfulli joyou joyous joystick jubil jubile judg judgement judgment judici judiciari
  judo jug juggernaut juggl juggler jugular juic juici juicier juiciest jumbl jumbo jump jumper jumpi jumpier
  jumpiest junction junctur jungl junior junip junk junket junki junta juri jurisdic juror just juster justest
  justic justif justifi justli jut jute juvenil juxtapos juxtaposi kaleidoscop kangaroo karat kayak keel keen keener
  keenest keenli keep keeper keepsak keg kei kelp kennel kept kerb kerchief kernel kerosen ketchup kettl keyboard
  keyhol keynot keyston keystrok keyword khaki kick kickback kickoff kid kidnap kidnapp kidnei kill killer kiln kilo
  kilobyt kilogram kilomet kilometr kilowatt kilt kimono kind kinda kinder kindergarten kindest kindl kindli
  kindlier kindliest kindr kinfolk king kingdom kingfish kink kinki kinkier kinkiest kinship kiosk kipper kiss kit
  kitchen kitchenett kite kitten kitti kiwi knack knacker knapsack knead knee kneecap kneed kneel knelt knew knicker
  knife knight knighthood knit knive knob knock knocker knockout knoll knot knotti knottier knottiest know knowingli
  knowledg known knuckl koala kosher kowtow kudo lab label labor laboratori labori labour labyrinth lace lacer laci
  lacier laciest lack lacklust lacklustr lacquer lacross lad ladder lade laden ladi ladl ladybug ladylik lag lager
  laggard lagoon lai laid lain lair lake lamb lambda lame lament lamer lamest lamp lampoon lanc land lander landladi
  landlock landlord landmark landown landscap landslid lane languag languid languish languor lanki lankier lankiest
  lantern lap lapel laps larceni lard larg larger largest lark larva laryng larynx lascivi laser lash lass last
  lastli latch late latent later latest latex lath lather latitud latrin latter lattic laud laudabl laugh laughabl
  laughingstock laughter launch launcher launder laundri laureat laurel lava lavatori lavend lavish lavishest law
  lawless lawmak lawn lawsuit lawyer lax laxer laxest laxiti layer layman laymen layout lazi lazier laziest leach
  lead leaden leader leadership leaf leafi leafier leafiest leaflet leagu leak leakag leaki lean leaner leanest leap
  leapfrog leapt learn learnt leas leash least leather leatheri leav lectern lectur ledg ledger leech leek leer
  leeri leerier leeriest leewai left lefter leftest leftmost leg legaci legal legalis legalist legend legendari
  legibl legion legisl legislatur legitim legitimaci legum leisur lemm lemon lemonad len lend length lengthen
  lengthi lengthier lengthiest lengthwis lenienc lenient lens lent lentil leopard leotard leper leprosi lesbian
  lesion less lessen lesser lesson lest let letdown lethal letharg lethargi letter letterhead lettuc letup leukaemia
  leukemia leve level lever leverag levi leviti lewd lewder lewdest lexic lexicon li liabil liabl liaison liar libel
  liber liberalis libertarian liberti librari librarian libretto lice licenc licens lichen lick licoric lid lieu
  lieuten life lifeboat lifeform lifeguard lifeless lifelik lifelin lifelong lifespan lifestyl lifetim lift ligament
  ligatur light lighten lighter lightest lighthous lightli lightn lightning lightweight likabl like likeabl likeli
  likeliest likelihood liken liker likest likewis lilac lili lilt limb limber limbo lime limelight limerick limeston
  limit limitless limousin limp limper limpest linchpin line lineag linear linearli linefe linen liner linger
  lingeri lingo linguist liniment link linkag linker linoleum lint lion lioness lip lipstick liquefi liqueur liquid
  liquor liquoric lisp list listen listless litani liter literaci literari literatur lith lither lithest lithium
  litig litr litter litterbug littl littler littlest liturg liturgi livabl live liveabl liveli liveliest livelihood
  liven liver livest livestock livid lizard llama load loadabl loader loaf loafer loam loan loath loathsom loav lob
  lobbi lobbyist lobe lobotomi lobster local localis locat lock locker locket locksmith locomo locomot locust lodg
  lodger loft lofti loftier loftiest log logarithm logger logic logician logo loin loincloth loiter loll lollipop
  lone loneli loneliest lonesom long longer longest longev longhand longish longitud longitudin longshoreman
  longshoremen look lookout loom loon looni loonier looniest loop loophol loos loosen looser loosest loot lop lope
  lopsid lord lore lorri lose loser loss lost lot lotion lotteri lotu lotus loud louder loudest loudli loudspeak
  loung lous lousi lousier lousiest lovabl love loveli loveliest lover lovingli low lowdown lower lowest lowli
  lowlier lowliest loyal loyalest loyalti lozeng lubric lucid luck lucki luckier luckiest luckili lucr ludicr lug
  luggag lukewarm lull lullabi lumber lumberjack lumin luminari lump lumpi lumpier lumpiest lunaci lunar lunat lunch
  luncheon lunchtim lung lupin lurch lure lurid lurk lusciou lush lusher lushest lust luster lusti lustier lustiest
  lustr lustrou lute luxuri ly lymph lymphat lynch lyre lyric macabr macaroni mace machet machin machineri machinist
  macho mackerel macroscop mad madam madcap madden madder maddest made madhous madli madman madmen maelstrom magazin
  magenta maggot magic magician magistr magnanim magnat magnesium magnet magnetis magnifi magnific magnitud magnolia
  magnum magpi mahogani maid maiden mail mailbox mailman mailmen maim main mainfram mainland mainli mainlin mainstai
  mainstream maintain mainten maiz majest majesti major make maker makeshift makeup maladi maladjust malaria male
  malevol malform malfunc malic malici malign mall mallard malleabl mallet malnutri malpractic malt maltreat mama
  mamma mammal mammalian mammoth man manacl manag manageri mandat mandatori mandibl mandolin mane maneuv mang manger
  mangi mangier mangiest mangl mango mangrov manhandl manhol manhood mani mania maniac manic manicur manicurist
  manifest manifestli manifesto manifold manipul mankind manli manlier manliest mannequin manner mannish manoeuvr
  manor manpow mansion manslaught mantel mantelpiec mantl manual manufactur manur manuscript map mapl mapper mar
  marathon marbl march marcher mare margarin margin maria marigold marijuana marin marina marionett marit maritim
  mark markedli marker market marketplac marksman marksmen marmalad maroon marque marri marriag marrow marsh marshal
  marshi marshier marshiest marshmallow marsupi mart martial martin martyr martyrdom marvel mascara mascot masculin
  mash mask masochist mason masonri masquerad mass massacr massag massiv mast master masteri masterli mastermind
  masterpiec mastic masturb mat matador match matchbook matchless matchmak mate materi materialis materialist matern
  math mathemat mathematician matriarch matric matricul matrimoni matrix matron matronli matt matter mattress matur
  maturest maudlin maul mausoleum mauv maverick maxim maxima maximis maximum mayb mayhem mayonnais mayor maze meadow
  meager meagr meal meali mealier mealiest mean meander meaner meanest meaning meaningless meant meantim meanwhil
  measl measli measlier measliest measur meat mechan mechanis medal medallion meddl meddler meddlesom media median
  mediat medic medicin mediev mediocr medit medium medlei meek meeker meekest meekli meet megabyt megalomaniac
  megaphon megaton melancholi mellow mellowest melod melodi melodrama melodramat melon melt member membership
  membran memento memo memoir memor memorandum memori memoris menac menageri mend menial menopaus menstrual
  menstruat mental menthol mention mentor menu meow mercantil mercenari merchandis merchant merci mercifulli
  merciless mercilessli mercuri mere merest merg merger meridian meringu merit mermaid merri merrier merriest
  merrili merriment mesdam mesh mess messag messeng messi messier messiest metabol metal metallurgi metamorphos
  metamorphosi metaphor metaphys mete meteor meteorit meteorolog meteorologist meter method methodolog meticul metr
  metric metro metropoli metropolis metropolitan mettl mew mezzanin miaow mice microb microbiolog microcod
  microcomput microfich microfilm micromet micrometr microorgan microphon microprocessor microscop microsecond
  microwav middai middl middleman middlemen midget midnight midriff midst midstream midsumm midwai midwif midwiv
  mien might mighti mightier mightiest migrain migrant migrat migratori mike mild milder mildest mildew mildli mile
  mileag mileston milit militari militarili militia milk milker milki milkier milkiest milkman milkmen mill miller
  milligram millimet millimetr millin millineri million millionair millionth millisecond mime mimic mimick mimicri
  minc mincemeat mind mindbogglingli minded mindless mindlessli mine minefield miner mingl miniatur minibu minibus
  minicomput minim minimalist minimis minimum minion minist ministeri ministri mink minnow minor minstrel mint minu
  minuet minus minuscul minut minutest miracl miracul mirag mire mirror mirth misadventur misapprehen misappropri
  misbehav misbehavior misbehaviour miscarri miscarriag miscellan miscellani mischief mischiev misconcep misconduct
  misconstru misde misdemeanor misdemeanour misdirec misdirect miser miseri miserli misfit misfortun misgiv misguid
  mishap misinform misinterpret misjudg misl mislai mislaid mislead mismanag mismatch misnom misplac misprint
  misquot misread misrepres misrepresent miss misshapen missil mission missionari missiv misspel mist mistak
  mistaken mistakenli misti mistier mistiest mistleto mistook mistress mistrust mistyp misunderstand misunderstood
  misus mite mitig mitt mitten mix mixer mixtur mnemon moan moat mob mobil mobilis moccasin mock mockeri mockingbird
  modal mode model moder modern modernis modest modesti modestli modicum modif modifi modul modular mohair moist
  moisten moister moistest moistur molar molass mold moldi moldier moldiest mole molecul molecular molest mollifi
  mollusc mollusk molt molten mom moment momentari momentarili momentum monarch monarchi monast monasteri monei
  monetar monetari mongoos mongrel moni monitor monk monkei monochrom monogam monogami monogram monolith monologu
  monopol monopoli monopolis monorail monosyl monoton monotoni monsoon monster monstros monstrou month monthli
  monument moo mood moodi moodier moodiest moodili moon moonbeam moonlight moor moos moot mop mope moral moralist
  morass moratorium morbid more moreov morgu morn moron moros morphin morpholog morsel mortal mortar mortgag mortif
  mortifi mortuari mosaic mosqu mosquito moss mossi mossier mossiest most mostli motel moth mothbal mother
  motherhood motherli motif motion motionless motiv motlei motlier motliest motor motorbik motorcad motorcycl
  motoris motorist motorwai motto mould mouldi mouldier mouldiest moult mound mount mountain mourn mourner mous
  mousi mousier mousiest mouss moustach mouth mouthpiec movabl move movement mover movi mow mower much muck mucou
  mucu muddi muddier muddiest muddl muf muff muffin muffl muffler mug mugger muggi muggier muggiest mulch mule mull
  multi multin multipl multipli multiprocess multitask multitud mum mumbl mummi mummifi mump munch mundan municip
  mural murder murki murkier murkiest murmur muscl muscular muse museum mush mushi mushier mushiest mushroom music
  musician musk musket muss mussel must mustach mustang mustard muster musti mustier mustiest mutant mutat mute
  muter mutest mutil mutin mutini mutt mutter mutton mutual muzzl myopic myriad myself mysteri mystic mystifi myth
  mythic mytholog nab nag nai nail naiv naiver naivest naiveti nake naked name nameless namesak nap napalm nape
  napkin nappi narcot narr narrat narrow narrowest narrowli nasal nasti nastier nastiest nastili nation nationalis
  nationalist nationwid nativ natti nattier nattiest natur naturalis naturalist naught naughti naughtier naughtiest
  naughtili nausea nauseat nauseou nautic naval navel navi navig near nearbi nearer nearest nearli nearsight
  nearsighted neat neater neatest neatli nebul nebula necess necessari necessarili necessit neck neckerchief necklac
  necklin neckti necrophilia nectar nectarin need needi needier neediest needl needless needlessli needlework neg
  negat negativ neglect neglig neglige negoti neigh neighbor neighborhood neighborli neighbour neighbourhood
  neighbourli neither neon neophyt nephew nepot nerv nervou nervous nest nestl net nether nettl network neural
  neurolog neurologist neuron neuros neurosi neurot neuter neutral neutralis neutron never nevertheless new newbi
  newborn newcom newer newest newfangl newli newsag newscast newsi newsier newsiest newslett newspap newsprint
  newsstand newt newton next nibbl nice nicer nicest niceti nich nick nickel nicknam nicotin niec nifti niftier
  niftiest nigh night nightclub nightfal nightgown nightingal nightli nightmar nightmarish nighttim nimbl nimbler
  nimblest nincompoop nine nineteen nineteenth nineti ninetieth ninni ninth nip nippi nippier nippiest nippl nit
  nitrat nitrogen nitwit nobil nobl nobleman noblemen nobler noblest noblewoman noblewomen nobli nobodi nocturn nod
  node noe nois noiseless noiselessli noisi noisier noisiest noisili nomad nomenclatur nomin nomine nonchal
  nonchalantli noncommitt nonconformist nondescript none nonent nonetheless nonfic nonflamm nonpartisan nonprofit
  nonresid nonsens nonstandard nonstop nontrivi nonviol noodl nook noon noos norm normal north northeast
  northeasterli northeastern northerli northern northward northwest northwestern nose noseble nosi nosier nosiest
  nostalg nostalgia nostril notabl notat notch note notebook noteworthi noth nothing notic noticeboard notif notifi
  notion notori notorieti notwithstand nougat nought noun nourish nova novel novelist novelti novic nowadai nowher
  noxiou nozzl nuanc nuclear nuclei nucleu nude nuder nudest nudg nuditi nugget nuisanc null nullifi numb number
  numbest numer nun nuptial nurs nursemaid nurseri nurtur nut nutcrack nutmeg nutrient nutriment nutriti nutrition
  nutshel nutti nuttier nuttiest nuzzl nylon nymph oaf oak oar oas oasi oath oatmeal obedi obei obelisk obes obfusc
  obituari objec object objection objector oblig obligatori obliqu obliter oblivi oblivion oblong obnoxi obo obscen
  obscenest obscur obscurest observ observatori obses obsess obsolesc obsolet obstacl obstetr obstetrician obstin
  obstinaci obstruc obstruct obtain obtrus obtus obtusest obviou obvious occasion occup occupi occur occurr ocean
  oceanographi octagon octal octav octopu octopus ocular od odd odder oddest odditi oddli odiou odomet odor odour
  oesophagi oesophagu of off offbeat offenc offend offens offer offhand offic offici offload offset offshoot offshor
  offspr offstag often oftenest ogl ogr ohm oil oili oilier oiliest ointment okai okra olden older oldest olfactori
  oliv omega omelet omelett omen omin omis omit omnibu omnipot omnipres omnisci on onc oncom oner oneself ongo onion
  onli onlook onomatopoeia onrush onset onslaught onto onu onus onward oodl ooz opal opaqu opaquest open openest
  openli oper opera operand operat ophthalmolog ophthalmologist opinion opium opossum oppon opportun opportunist
  oppos opposi opposit oppres oppress oppressor opt optic optician optim optima optimis optimist optimum option
  optometrist opu opul opus or oracl oral orang orangutan orat oratori orbit orchard orchestr orchestra orchid
  ordain ordeal order orderli ordin ordinari ordinarili organ organis organist organiz orgasm orgi orient orific
  origin ornament ornat ornitholog ornithologist orphan orphanag orthodontist orthodox orthogon orthographi
  orthopaed orthoped oscil oscilloscop osmosi ostens ostent ostentati ostrac ostracis ostrich other otherwis otter
  ouch ought ounc our ourselv oust ouster out outbound outbreak outburst outcast outclass outcom outcri outdat
  outdid outdist outdistanc outdo outdon outdoor outer outermost outfield outfit outgo outgrew outgrow outgrown
  outgrowth outhous outlai outlaid outlandish outlast outlaw outlet outli outlin outliv outlook outmod outnumb
  outpati outpost output outrag outran outright outrun outset outshin outshon outsid outskirt outsmart outspoken
  outstand outstandingli outstat outstrip outward outwardli outweigh outwit oval ovari ovat oven over overal
  overbear overblown overboard overbor overborn overburden overcam overcast overcharg overcoat overcom overcrowd
  overdid overdo overdon overdos overdraft overdraw overdrawn overdrew overdu overeat overeaten overestim overflow
  overgrew overgrow overgrown overh overhand overhang overhaul overhead overhear overheard overheat overhung overkil
  overlai overlaid overlain overland overlap overli overload overlong overlook overnight overpass overpopul overpow
  overpr overpric overprint overr overran overreact overrid overridden overrod overrul overrun overs oversampl
  oversaw overse oversea overseen overshadow overshoot overshot oversight oversimplif oversleep overslept overst
  overstep overt overtak overtaken overthrew overthrow overthrown overtim overtli overton overtook overtur overturn
  overus overview overweight overwhelm overwhelmingli overwork overwrit overwritten overwrought ovum ow owl own
  owner ownership oxen oxid oxidis oxygen oyster ozon pace pacemak pacif pacifi pacifist pack packag packer packet
  pact pad paddi paddl paddock padlock paediatr paediatrician pagan page pageant pageantri pager pagin pagoda pai
  paid pail pain painful painfullest painfulli painless painlessli painstak paint painter pair pajama pal palac
  palaeontolog palaeontologist palat palati pale paleontolog paleontologist paler palest palett pall pallbear pallid
  pallor palm palomino palpabl paltri paltrier paltriest pamper pamphlet pan panacea pancak pancrea pancreas
  pancreat panda pandemonium pander pane panel pang panhandl panic panick panicki panoram panorama pansi pant
  panther panti pantomim pantri papa papaci papal papaya paper paperback paperweight paperwork paprika papyri papyru
  par parabl parachut parad paradigm paradis paradox paraffin paragon paragraph parakeet parallel paralys paralysi
  paralyt paralyz paramet paramount paranoia paranoid paraphernalia paraphras parapleg parasit parasol paratroop
  parcel parch parchment pardon pare parent parentag parenthes parenthesi parenthet parenthood parish parishion
  pariti park parka parkwai parliament parliamentari parlor parlour parochi parodi parol parrot pars parsec parser
  parslei parsnip parson parsonag part partak partaken parti partial particip participl particl particular
  particularli partisan partition partli partner partnership partook partridg pass passabl passag passagewai
  passbook passeng passer passion passiv passport password past pasta pastel pasteur pasteuris pasti pastich pastier
  pastiest pastim pastor pastri pastur pat patch patchi patchwork pate patent patern path pathet patho patholog
  pathologist pathwai patienc patient patientest patio patriarch patrimoni patriot patrol patron patronag patronis
  patter pattern patti pauciti paunch paunchi paunchier paunchiest pauper paus pave pavement pavilion paw pawn
  pawnbrok payabl payer payload payment payoff payrol pea peac peaceabl peacefulli peacemak peach peacock peak peal
  peanut pear pearl peasant peat pebbl pecan peck peculiar peculiarli pedagogi pedal pedant pedantri peddl peddler
  pedest pedestrian pediatr pediatrician pedigre pedlar peek peel peep peer peerless peev peevish peg pelican pellet
  pelt pelvi pelvic pelvis pen penal penalis penalti penanc penc penchant pencil pend pendant pendulum penetr
  penguin peni penicillin peninsula penis penit penitentiari penknif penkniv penmanship pennant penni penniless
  pension pensiv pentagon penthous penultim peon peoni peopl pep pepper peppermint perceiv percent percentag percep
  percept perch perchanc percol percus peremptori perenni perfec perfect perfectest perfectionist perfectli perfor
  perform perfum perfunctori perfunctorili perhap peril perimet period peripher peripheri periscop perish perjur
  perjuri perk perki perkier perkiest perman permeat permis permiss permit permut pernici peroxid perpendicular
  perpetr perpetu perplex persecu persecut persecutor persev persever persist person persona personalis personif
  personifi personnel perspect perspir persuad persuas persuasion pert pertain perter pertest pertin perturb perus
  pervad pervas perver pervers pervert peski peskier peskiest pessim pessimist pest pester pesticid pestil pet petal
  peter petit petition petrifi petrol petroleum petti petticoat pettier pettiest petul petunia pew pewter phantom
  pharmaceut pharmaci pharmacist phase pheasant phenomen phenomena phenomenon philanthrop philanthropi
  philanthropist philosoph philosophi philosophis phlegm phlegmat phobia phoenix phone phonei phonet phoni phonic
  phonier phoniest phonograph phosphor phosphoresc phosphoru photo photocopi photogen photograph photographi photon
  photosynthesi phototypesett phrase phraseolog physic physician physicist physiolog physiqu pi pianist piano
  piccolo pick pickax picket picki pickier pickiest pickl pickpocket pickup picnic picnick pictori pictur picturesqu
  piddl piec piecem piecework pier pierc pieti pig pigeon pigeonhol piggish piggyback pighead pigment pigpen pigtail
  pike pile pilfer pilgrim pilgrimag pill pillag pillar pillow pillowcas pilot pimpl pimpli pimplier pimpliest pin
  pinch pincushion pine pineappl pinion pink pinker pinkest pinnacl pinpoint pint pioneer piou pipe pipelin piqu
  piraci piranha pirat pirouet pirouett pistachio pistol piston pit pitch pitcher pitchfork piteou piteous pitfal
  pithi pithier pithiest piti pitifulli pitiless pittanc pivot pixi pizza placard placat place placement placenta
  placid placidli plagiar plagiaris plagiarist plagu plai plaic plaid plain plainer plainest plainli plaintiff
  plaintiv plan planar plane planet planetari planetarium plank plankton planner plant plantain plantat planter
  plaqu plasma plaster plastic plate plateau platform platinum platitud platoon platter plausibl play playabl
  playback player playfulli playground playhous playmat playpen playth playwright plaza plea plead pleas pleasant
  pleasantest pleasantli pleasantri pleasur pleat pledg plenti plentifulli plethora pli pliabl pliant plier plight
  plod ploi plop plot plotter plough plow plu pluck plucki plug plum plumag plumb plumber plume plummet plump
  plumper plumpest plunder plung plunger plural pluse plush plusher plushest plutonium ply plywood pneumat pneumonia
  poach poacher pocket pocketbook pockmark pod podium poem poet poetic poetri poignanc poignant poinsettia point
  pointedli pointer pointless pointlessli pois poison poke pokei poker poki pokier pokiest polar polaris pole polem
  polic policeman policemen policewoman policewomen polici polio polish polit politest politician polka poll pollen
  pollin pollster pollut pollution polo polygam polygami polygon polynomi polyp polytechn pomegran pomp pompou
  poncho pond ponder poni pontoon poodl pool poop poor poorer poorest poorli pop popcorn pope poplar poppi popul
  populac popular popularis popularli porcelain porch porcupin pore pork pornograph pornographi porou porpois
  porridg port portabl portal portend portent porter portfolio porthol portico portion portli portlier portliest
  portrai portrait portray pose posi posit position positiv posses possess possessor possibl possum post postag
  postal postbox postcard postcod poster posterior postgradu posthum postman postmark postmast postmen postpon
  postscript postul postur pot potassium potato potenc potent potenti pothol potion potter potteri pouch poultri
  pounc pound pour pout poverti powder powderi power powerfulli powerhous powerless powwow practic practis
  practition pragmat prai prairi prais praiseworthi pram pranc prank prattl prawn prayer preach preacher preambl
  precari precaution precautionari preced precinct preciou precipic precipit precis precisest precision preclud
  precoci preconc preconceiv preconcep precursor predat predatori predecessor predefin predestin predic predica
  predict predictor predisposi predomin predominantli preemin preempt preen prefab prefac prefect prefer preferenti
  prefix pregnanc pregnant prehistor prei prejud prejudic prejudici preliminari prelud prematur premedit premier
  premis premium premoni prenat preoccup preoccupi prepai prepaid prepar preparatori preponder preposi preposter
  prerequisit prerog prescrib prescrip presenc present preserv presid presidenti press pressur prestig prestigi
  presto presum presump presumptu presuppos preten pretenc pretend pretens pretenti pretext pretti prettier
  prettiest pretzel prevail preval preven prevent preview previou previous pri price priceless prick prickl prickli
  pricklier prickliest pride priest priestess priesthood prim primal primari primarili primat prime primer primev
  primit primli primmer primmest primp primros princ princess princip principl print printabl printer printout prior
  prioriti prise prism prison privaci privat privatest privatis privi privier priviest privileg prize pro
  probabilist probabl probat probe problem problemat proce procedur proceed proces process procession processor
  proclaim proclam procrastin procur prod prodig prodigi produc product profan profes profess profession professor
  proffer profici profil profit profound profoundest profoundli profund profus profusion progeni prognos prognosi
  program programm progres progress prohibi prohibit projec project projectil projector proletarian proletariat
  prolif prolifer prologu prolong prom promenad promin promis promiscu promontori promot promotion prompt prompter
  promptest promptli promulg prone prong pronoun pronounc pronunci proof proofread prop propag propaganda propel
  propens proper properest properli properti propheci prophesi prophet propon propor proportion propos proposi
  proprietari proprieti proprietor propul prose prosecu prosecut prosecutor prospect prospector prospectu prospectus
  prosper prostitu prostitut prostrat protagonist protec protect protector protein protest protocol proton prototyp
  protract protractor protrud protrusion proud prouder proudest proudli provabl prove proven proverb proverbi provid
  provinc provinci provision proviso provoc provok prow prowess prowl prowler proxi proxim prude prudenc prudent
  prudish prune pry psalm pseudo pseudonym psych psychedel psychiatr psychiatri psychiatrist psychic psychoanalysi
  psychoanalyst psycholog psychologist psychopath psychos psychosi psychot psychotherapi puberti public publicis
  publicli publish puck pucker pud puddl pudgi pudgier pudgiest pueblo puf puff puffer puffi puffier puffiest
  pugnaci puke pull pullei pullov pulmonari pulp pulpit puls pulsat pulver pulveris puma pumic pummel pump
  pumpernickel pumpkin pun punch punchlin punctual punctuat punctur pundit pungent puni punier puniest punish punit
  punk punker punkest punt punter pup pupil puppet puppi pur purchas pure purer purest purg purgatori purif purifi
  puritan puriti purpl purpler purplest purport purpos purr purs pursu pursuit purveyor push pusher pushi pushier
  pushiest pushov puss pussi pussier pussiest put putrid putt putter putti puzzl pyjama pyramid pyre python quack
  quadrangl quadrant quadrat quadrilater quadrup quadrupl quadruplet quagmir quai quail quaint quainter quaintest
  quak qualif qualifi qualit qualiti qualm quandari quantifi quantit quantiti quantum quarantin quark quarrel
  quarrelsom quarri quart quarter quarterback quarterli quartet quartz quash quaver queasi queasier queasiest queen
  queenli queenlier queenliest queer queerer queerest quell quench queri quest question questionnair queu queue
  quibbl quich quick quicken quicker quickest quickli quicksand quiet quieter quietest quietli quill quilt quinin
  quintess quintet quintuplet quip quirk quirki quit quitter quiver quiz quizz quizzic quorum quot quota quotat
  quotient rabbi rabbit rabbl rabi rabid raccoon race racer racetrack raci racial racier raciest racism racist rack
  racket radar radial radianc radiant radiat radic radii radio radioact radish radiu radium raffl raft rafter rag
  ragamuffin rage ragged raggedest ragtim rai raid raider rail railroad railwai rain rainbow raincoat raindrop
  rainfal raini rainier rainiest rainstorm rainwat rais raisin rake ralli ram rambl rambler ramif ramp rampag
  rampant ramrod ramshackl ranch rancher rancid rancor rancour random randomli rang ranger rank ranker rankest rankl
  ransack ransom rant rap rape rapid rapidest rapidli rapist rapport rapt raptur rare rarer rarest rariti rascal
  rash rasher rashest rashli rasp raspberri raster rat rate rather ratif ratifi ratio ration rational rationalis
  ratti rattl rattler rattlesnak raucou raucous ravag rave ravel raven ravin ravish rawer rawest rayon raze razor
  reach react reaction reactionari reactiv reactor read readabl reader readership readi readier readiest readili
  readjust real realer realest realis realism realist realiti realiz realli realloc realm realti ream reap reaper
  reappear rear rearrang reason reassur rebat rebel rebelli rebellion rebind rebirth reborn rebound rebuf rebuff
  rebuild rebuilt rebuk rebut rebutt recal recalcitr recant recap recaptur reced receipt receiv recent recentest
  recep recept receptacl receptionist reces recess recharg recip recipi reciproc recit reckless recklessli reckon
  reclaim reclam reclin reclus recogn recogni recognis recogniz recoil recollec recollect recommend recompens
  recompil reconcil reconcili recondi reconfigur reconnaiss reconnect reconsid reconstruc reconstruct record recount
  recoup recours recov recover recoveri recreat recruit rectal rectangl rectangular rectifi rector rectum recuper
  recur recurr recurs recycl red redden redder reddest redeem redefin redefini redemp redesign redhead redid redirec
  redirect rediscov redistribu redistribut redo redon redraft redraw redress reduc redund reed reef reek reel
  reelect refer refere referenc referendum refil refin refineri reflec reflect reflector reflex reform reformat
  refrac refrain refresh refriger refuel refug refuge refund refurbish refus refut regain regal regalia regard
  regardless regatta regener regent regim regimen regiment region regist registr registrar registri regres regress
  regret regrett regul regular regularli regurgit rehabilit rehash rehears reign reimburs rein reincarn reindeer
  reinforc reinstat reiter rejec reject rejoic rejoin rejoind rejuven rel relai relaid relaps relat relationship
  relativist relax releas releg relent relentless relentlessli relev reli reliabl relianc reliant relic relief
  reliev religi religion relinquish relish reliv reload reloc relocat reluct reluctantli remad remain remaind remak
  remark remedi rememb remembr remind reminisc remis remiss remit remitt remnant remodel remors remorseless remot
  remotest remov remuner renaiss renam rend render rendezv rendezvous rendition reneg renegad renew renounc renov
  renown rent rental renunci reopen reorgan reorganis repai repaid repair repar repatri repay repeal repeat
  repeatedli repel repent repercus repertoir repeti repetit repetiti rephras replac replai replenish replet repli
  replic replica report reportedli repos repositori reprehens repres represent repress repriev reprimand reprint
  repris reproach reproduc reproduct reprogram reprov reptil republ republican repudi repugn repul repuls reput
  reputedli request requiem requir requisi requisit reread rerout resal reschedul rescind rescu rescuer research
  resembl resent reserv reservoir reset reshuffl resid residenti residu resign resili resin resist resistor resolu
  resolut resolv reson resort resound resourc respect respectfulli respir respiratori respit resplend respond
  respons rest restart restaur restful restfullest restitu restiv restless restlessli restor restrain restraint
  restric restrict restructur resubmit result resum resump resurfac resurg resurrec resurrect resuscit retail retain
  retali retard retch reten rethink retic retina retir retort retrac retract retreat retri retribu retriev retroact
  retrograd retrospect return retyp reunion reunit reus rev revamp reveal revel revelri reveng revenu rever reverber
  reverenc reveri revers revert review revil revis revision revisit reviv revok revolt revolu revolution
  revolutionari revolutionis revolv revu revul reward rewind rework rewrit rewritten rewrot rhapsodi rhetor rheumat
  rhino rhinocero rhinoceros rhododendron rhubarb rhyme rhythm rhythmic rib ribbon rice rich richer richest richli
  ricketi ricketiest rickshaw ricochet rid riddanc ridden riddl ride rider ridg ridicul rife rifer rifest rifl rift
  rig right righteou righteous righter rightest rightfulli rightli rightmost rigid rigidli rigor rigour rile rim
  rind ring ringlead ringlet ringworm rink rins riot rioter riotou rip ripe ripen riper ripest ripost rippl rise
  risen riser risk riski riskier riskiest rite ritual rival rivalri river rivet roach road roadblock roadsid roam
  roar roast rob robber robberi robe robin robot robust robustest rock rocker rocket rocki rockier rockiest rod rode
  rodent rodeo roe rogu roguish role roll roller roman romanc romant romp roof rook rooki room roomi roomier
  roomiest roommat roost rooster root rooter rope rosari rose rosemari rosi rosier rosiest roster rostrum rot rotari
  rotat rote rotisseri rotor rotten rottenest rotund rotunda roug rough roughag roughen rougher roughest roughhous
  roughli roulett round roundabout rounder roundest rous rout router routin row rowboat rowdi rowdier rowdiest royal
  royalti ru rub rubber rubbish rubbl rubi rubier rubiest rubric rucksack rucku ruckus rudder ruddi ruddier ruddiest
  rude ruder rudest rudimentari rue rueful ruf ruff ruffian ruffl rug rugbi rugged ruggedest ruin ruinou rule ruler
  rum rumbl rumin rummag rummer rummest rummi rumor rumour rump rumpl run runawai rundown rune rung runner runni
  runnier runniest runt runwai ruptur rural ruse rush rust rusti rustic rustier rustiest rustl rustler rut ruthless
  ruthlessli sabbat saber sabotag saboteur sabr sac sack sacr sacrament sacrif sacrific sacrifici sacrileg sacrilegi
  sad sadden sadder saddest saddl sade sadism sadist sadli safari safe safeguard safekeep safer safest safeti
  saffron sag saga sage sagebrush sager sagest sai said sail sailboat sailor saint saintli saintlier saintliest sake
  saki salabl salad salami salari sale saleabl salesman salesmen salespeopl salesperson saleswoman saleswomen
  salient saliv saliva salli sallow sallowest salmon salon saloon salt salter saltest salti saltier saltiest salut
  salv salvag salvat same sampl sampler sanatorium sanctifi sanctimoni sanction sanctiti sanctuari sand sandal
  sandbag sandi sandier sandiest sandman sandmen sandpap sandston sandstorm sandwich sane saner sanest sang sanit
  sanitari sanitarium saniti sank sanserif sap sapl sapphir sarcasm sarcast sardin sari sash sassi sassier sassiest
  satan satchel satellit satin satir satiris satirist satisfac satisfactori satisfactorili satisfi satur sauc
  saucepan saucer sauci saucier sauciest sauerkraut sauna saunter sausag savag savageri savagest save saver savior
  saviour savor savori savoriest savour savouri savouriest savvi savvier savviest saw sawdust saxophon scab scaffold
  scalar scald scale scali scalier scaliest scallop scalp scalpel scamper scan scandal scandalis scanner scant
  scanter scantest scanti scantier scantiest scapego scapegoat scar scarc scarcer scarcest scarciti scare scarecrow
  scarf scari scarier scariest scarlet scarv scath scatter scatterbrain scaveng scenario scene sceneri scenic scent
  scepter sceptic sceptr schedul scheme schemer schizophren schizophrenia scholar scholarli scholarship scholast
  school schoolboi schoolchild schoolchildren schoolteach schooner scienc scientif scientist scissor scof scoff
  scold scoop scoot scooter scope scorch score scorer scorn scorpion scotch scoundrel scour scourg scout scowl
  scrabbl scram scrambl scrap scrapbook scrape scratch scratchi scratchier scratchiest scrawl scrawni scrawnier
  scrawniest scream screech screen screw screwdriv screwi screwier screwiest scribbl scribe script scriptur
  scriptwrit scroll scroung scrub scruff scruffi scruffier scruffiest scrupl scrupul scrutin scrutini scrutinis scuf
  scuff scuffl sculptor sculptur scum scurri scurril scuttl scyth sea seafar seafood seal seam seaman seamen
  seamstress seaport sear search searchlight seashel seashor seasick seasid season seat seawe seced seces seclud
  seclusion second secondari secondarili secondli secreci secret secretari secretion secretli sect section sector
  secular secur securest sed sedan sedat sedatest sedentari sediment sedimentari seduc seduct see seed seedi seedier
  seediest seedl seek seem seemingli seen seep seepag seer seesaw seeth segment segreg seiz seizur seldom selec
  select selector self selfish sell seller selv semant semblanc semen semest semicircl semicolon semiconductor
  semifin seminar seminari senat send sender senil senior sens sensat sensation senseless sensibl sensit sensor
  sensori sensual sensuou sent sentenc sentienc sentient sentiment sentri separ sepulch sepulchr sequel sequenc
  sequenti sequin seren serenad serenest sergeant seri serial seriou serious sermon serpent serum serv servant
  server servic serviceman servicemen serviett servil servitud session set setback settabl setter settl settlement
  settler seven seventeen seventeenth seventh seventi sever severest sew sewag sewer sewn sex sexi sexism sexist
  sexual shabbi shabbier shabbiest shabbili shack shackl shade shadi shadier shadiest shadow shadowi shadowiest
  shaft shaggi shaggier shaggiest shake shaken shaki shakier shakiest shall shallow shallowest sham shambl shame
  shamefulli shameless shampoo shamrock shanti shape shapeli shapeliest share sharehold shark sharp sharpen sharper
  sharpest sharpli shatter shave shaven shaver shawl she sheaf shear sheath sheav shed sheen sheep sheepish
  sheepishli sheer sheerer sheerest sheet sheikh shelf shell sheller shellfish shelter shelv shepherd sherbet
  sheriff sherri shi shield shift shifti shiftier shiftiest shiftless shimmer shin shine shingl shini shinier
  shiniest ship shipment shipshap shipwreck shire shirk shirt shiver shoal shock shod shoddi shoddier shoddiest shoe
  shoelac shoestr shone shoo shook shoot shop shopkeep shoplift shopper shore short shortag shortcom shorten shorter
  shortest shortfal shorthand shortli shortlist shot shotgun should shoulder shout shove shovel show showcas
  showdown shower showi showier showiest showman showmen shown shrank shrapnel shred shrew shrewd shrewder shrewdest
  shriek shrill shriller shrillest shrimp shrine shrink shrinkag shrivel shroud shrub shrubberi shrug shrunk
  shrunken shuck shudder shuffl shun shunt shut shutdown shutter shuttl shy shyer shyest shyness sibl sic sick
  sicken sicker sickest sickl sickli sicklier sickliest side sidelin sidelong sideshow sidestep sidetrack sidewai
  sidewalk sidl sieg sierra siesta siev sift sigh sight sightless sigma sign signal signatur signer signifi signific
  significantli signpost silenc silent silentest silhouet silhouett silicon silk silken sill silli sillier silliest
  silo silt silver silveri silversmith silverwar simil similar similarli simmer simpl simpler simplest simplex
  simpli simplic simplif simplifi simplist simul simultan sin sinc sincer sincerest sine sinew sinewi sing singer
  singl singli singular singularli sinist sink sinner sinu sinus sip siphon sir sire siren sirloin sissi sissier
  sissiest sister sisterhood sisterli sit site sitter situat six sixpenc sixteen sixteenth sixth sixti sixtieth
  sizabl size sizeabl sizer sizzl skate skateboard skater skein skeleton skeptic sketch sketchi sketchier sketchiest
  skew skewer ski skid skil skill skillet skim skimp skimpi skimpier skimpiest skin skinflint skinni skinnier
  skinniest skip skipper skirmish skirt skit skittish skulk skull skunk sky skylight skylin skyrocket skyscrap slab
  slack slacken slacker slackest slag slai slain slake slam slander slang slant slap slapstick slash slat slate
  slaughter slave slaveri slavish sleazi sleazier sleaziest sled sledgehamm sleek sleeker sleekest sleep sleeper
  sleepi sleepier sleepiest sleepless sleet sleev sleeveless sleigh slender slenderest slept slew slice slick
  slicker slickest slid slide slier sliest slight slighter slightest slightli slim slime slimi slimier slimiest
  slimmer slimmest sling slingshot slink slip slipper slipperi slipperiest slipshod slit slither slitter sliver slob
  slobber slog slogan slop slope sloppi sloppier sloppiest slosh slot sloth slouch slovenli slovenliest slow slower
  slowest slowli sludg slug sluggish sluic slum slumber slummer slump slung slunk slur slush slut slyer slyest slyli
  slyness smack small smaller smallest smallish smallpox smart smarter smartest smartli smash smatter smear smell
  smelli smellier smelliest smelt smidgen smile smirk smite smith smithereen smitten smock smog smoke smoker
  smokestack smoki smokier smokiest smolder smooth smoother smoothest smoothli smote smother smoulder smudg smug
  smugger smuggest smuggl smuggler smugli smut snack snag snail snake snap snappi snappier snappiest snapshot snare
  snarl snatch sneak sneaker sneaki sneakier sneakiest sneer sneez snicker snide snider snidest snif sniff sniffl
  snip snipe sniper snippet snitch snob snobberi snobbish snooker snoop snooti snootier snootiest snooz snore
  snorkel snort snot snout snow snowbal snowdrift snowfal snowflak snowi snowier snowiest snowplough snowplow
  snowstorm snub snuf snuff snuffer snug snugger snuggest snuggl snugli soak soap soapi soapier soapiest soar sob
  sober soberest sobrieti soccer sociabl social socialis socialist societi sociolog sociologist sock socket sod soda
  sodden sodium sodomi sofa soft softbal soften softer softest softli softwar soggi soggier soggiest soil sojourn
  solac solar sold solder soldier sole solemn solemnest solemnli solicit solicitor solid solidar solidest solidifi
  solidli solitair solitari solitud solo soloist solubl solution solv solvent somber sombr some somebodi somedai
  somehow someon someplac somersault someth sometim somewhat somewher son sonata song sonic sonnet sonor soon sooner
  soonest soot sooth sooti sootier sootiest sop sophist sophistri sophomor soprano sorcer sorceress sorceri sordid
  sore sorer sorest soror sorri sorrier sorriest sorrow sort sorta sought soul sound sounder soundest soundli
  soundproof soundtrack soup sour sourc sourer sourest south southeast southeastern southerli southern southpaw
  southward southwest southwestern souvenir sovereign sovereignti sow sown spa space spacecraft spaceship spacial
  spaciou spade spaghetti spai span spangl spaniel spank spanner spar spare sparer sparest spark sparkl sparkler
  sparrow spars sparser sparsest spasm spasmod spat spate spatial spatter spatula spawn speak speaker spear
  spearhead spearmint speci special specialis specialist specialti specif specifi specimen speciou speck spectacl
  spectacular spectacularli spectat specter spectr spectra spectrum specul sped speech speechless speed speedboat
  speedi speedier speediest speedomet spell spellbind spellbound speller spelt spend spendthrift spent sperm spew
  sphere spheric sphinx spi spice spici spicier spiciest spider spigot spike spill spilt spin spinach spinal spindli
  spindlier spindliest spine spineless spinster spiral spire spirit spiritu spit spite spiteful spitefullest spittl
  splash splat splatter spleen splendid splendidest splendidli splendor splendour splice splint splinter split
  splurg spoil spoilt spoke spoken spokesman spokesmen spokespeopl spokesperson spokeswoman spokeswomen spong spongi
  spongier spongiest sponsor sponsorship spontan spoof spook spooki spookier spookiest spool spoon sporad spore
  sporran sport sportsmanship spot spotless spotlight spotti spottier spottiest spous spout sprai sprain sprang
  sprawl spread spreadsheet spree spreed sprier spriest sprig spring springboard springi springier springiest
  springtim sprinkl sprinkler sprint sprinter sprout spruce sprucer sprucest sprung spry spud spun spunk spur
  spuriou spurn spurt sputter spy squabbl squad squadron squalid squalidest squall squalor squander squar squarer
  squarest squash squat squatter squattest squawk squeak squeaki squeakier squeakiest squeal squeamish squeez
  squelch squid squint squinter squintest squir squirm squirrel squirt stab stabil stabilis stabl stabler stablest
  stack stadium staf staff stag stage stagecoach stagger stagnant stagnat stai staid staider staidest stain stair
  staircas stairwai stake stale stalem staler stalest stalk stall stallion stalwart stamina stammer stamp stamped
  stanc stanch stancher stanchest stand standard standardis standbi standoff standpoint standstil stank stanza stapl
  stapler star starboard starch starchi starchier starchiest stardom stare starfish stark starker starkest starlight
  starri starrier starriest start starter startl startlingli starv starvat state stateli stateliest statement stater
  statesman statesmanship statesmen static station stationari stationeri statist statistician statu statur status
  statut statutori staunch stauncher staunchest staunchli stave steadfast steadi steadier steadiest steadili steak
  steal stealth stealthi stealthier stealthiest stealthili steam steami steamier steamiest steamrol steel steep
  steeper steepest steepl steer stellar stem stench stencil stenograph stenographi step stepladd stereo stereotyp
  steril sterilis sterl stern sterner sternest sternli stethoscop stew steward stewardess stick sticker sticki
  stickier stickiest stickler stif stiff stiffen stiffer stiffest stiffli stifl stigma stigmata still stillborn
  stiller stillest stilt stimul stimuli stimulu sting stinger stingi stingier stingiest stink stint stipul stir
  stirrup stitch stock stockad stockbrok stockhold stocki stockier stockiest stockpil stockyard stodgi stodgier
  stodgiest stoical stoke stole stolen stolid stolidest stolidli stomach stomp stone stoni stonier stoniest stood
  stool stoop stop stopgap stopov stoppag stopper stopwatch storag store storehous storei storekeep storeroom stori
  stork storm stormi stormier stormiest stout stouter stoutest stove stow stowawai straddl straggl straggler strai
  straight straighten straighter straightest straightforward straightforwardli strain strainer strait straitjacket
  strand strang stranger strangest strangl strangul strap strata stratagem strateg strategi stratifi stratospher
  stratum straw strawberri streak stream streamer streamlin street streetcar strength strengthen strenuou strenuous
  stress stretch stretcher strew strewn stricken strict stricter strictest strictli stridden stride strife strike
  striker string stringent stringi stringier stringiest strip stripe stripper strive striven strode stroke stroll
  stroller strong stronger strongest stronghold strongli strove struck structur structuralist struggl strum strung
  strut stub stubbi stubbier stubbiest stubbl stubborn stubbornest stuck stud student studentship studi studio
  studiou stuf stuff stuffi stuffier stuffiest stumbl stump stun stung stunk stunt stupefi stupend stupid stupidest
  stupidli stupor sturdi sturdier sturdiest stutter style stylish stylist stylu su suav suaver suavest sub
  subcommitte subconsci subdivi subdivid subdu subgroup subject subjug subjunct sublet sublim sublimest submarin
  submer submerg submis submiss submit subnorm subordin subprogram subroutin subscrib subscrip subscript subsec
  subsequ subservi subset subsid subsidi subsidiari subsidis subsist substanc substandard substanti substitu
  substitut subsystem subterfug subterranean subtl subtler subtlest subtleti subtli subtrac subtract suburb suburban
  subvers subvert subwai succe succeed succes success successfulli successor succinct succinctest succinctli succor
  succour succul succumb such suck sucker suckl suction sud sudden suddenli sue sued suffer suffic suffici suffix
  suffoc suffrag sugar sugari sugariest sugges suggest suicid suit suitabl suitcas suitor sulfur sulk sulki sulkier
  sulkiest sullen sullenest sulphur sultan sultri sultrier sultriest sum summar summari summarili summaris summer
  summit summon summons sumptuou sun sunbath sunburn sunda sundial sundown sundri sunflow sung sunglass sunk sunken
  sunlight sunlit sunni sunnier sunniest sunris sunscreen sunset sunshin suntan sunup super superb superbest superbl
  supercomput superfici superflu superhuman superimpos superintend superior superl supermarket supernatur
  superscript supersed superson superstar supersti superstiti superstructur supervi supervis supervisor supervisori
  supper suppl supplant supplement supplementari suppler supplest suppli supplier support suppos supposedli supposi
  suppres suppress suprem supremaci surcharg sure surer surest surf surfac surfboard surg surgeon surgeri surgic
  surli surlier surliest surmis surmount surnam surpass surplu surplus surpluss surpris surprisingli surreal surrend
  surreptiti surround survei surveil surveyor surviv survivor suscept suspect suspen suspend suspens suspici
  suspicion sustain susten swab swagger swai swallow swam swamp swampi swampier swampiest swan swap swarm swarthi
  swarthier swarthiest swat swath swear sweat sweater sweati sweep sweeper sweepstak sweet sweeten sweeter sweetest
  sweetheart sweetli swell sweller swellest swept swerv swift swifter swiftest swiftli swig swill swim swindl
  swindler swine swing swipe swirl swish swisher swishest switch switchabl switchboard switcher swivel swollen swoon
  swoop sword swordfish swore sworn swum swung syllabl syllabu syllabus symbol symbolis symmetr symmetri sympath
  sympathet sympathi sympathis symphon symphoni symptom symptomat synagogu synaps synchron synchronis syndic syndrom
  synonym synops synopsi syntact syntax synthes synthesi synthesis synthet syphili syring syrup system systemat tab
  tabbi tabernacl tabl tablecloth tablespoon tablet tabloid taboo tabul tacit tacitli taciturn tack tacki tackier
  tackiest tackl taco tact tactfulli tactic tactless tactlessli tadpol tag tail tailgat taillight tailor tailspin
  taint take taken takeoff takeov taker talc tale talent talisman talk talker tall taller tallest talli tallow talon
  tambourin tame tamer tamest tamper tan tandem tang tangent tangenti tangerin tangibl tangl tango tank tankard
  tanker tanner tannest tantal tantalis tantamount tantrum tap tape taper tapestri tar tarantula tardi tardier
  tardiest target tariff tarnish tarpaulin tarri tarrier tarriest tart tartan tartar tarter tartest task tassel tast
  tastefulli tasteless tasti tastier tastiest tatti tattl tattoo taught taunt taut tauter tautest tautolog tavern
  tawdri tawdrier tawdriest tawni tawnier tawniest tax taxabl taxat taxi taxicab taxpay tea teach teacher teacup
  teak team teammat teamster teamwork teapot tear teardrop teas teaspoon teat technic technician techniqu technolog
  tediou tedious tedium tee teed teem teen teenag teeter teeth teetot teetotal telecommun telegram telegraph
  telepath telepathi telephon telescop teletyp televi televis tell teller telltal temper tempera temperament
  temperatur tempest tempestu templ templat tempo tempor temporari temporarili tempt temptat ten tenabl tenac tenaci
  tenanc tenant tend tendenc tender tenderest tenderis tenderli tendon tendril tenement tenet tenni tenor tens
  tenser tensest tension tensor tent tentacl tenth tenuou tenur tepe tepid term termin termini terminolog terminu
  termit termli terrac terrain terrestri terribl terrier terrif terrifi territori terror terroris terrorist ters
  terser tersest test testabl testament tester testi testicl testifi testimoni tetanu tether text textbook textil
  textual textur than thank thankfulli thankless that thatch thatcher thaw theater theatr theatric thee theft thei
  their theist them theme themselv then thenc theolog theologi theologian theorem theoret theori theoris theorist
  theoriz therapeut therapi therapist there thereabout thereaft therebi therefor therein thereof thereon thereupon
  thermal thermodynam thermomet thermostat thesauri thesauru thesaurus these thesi theta thi thick thicken thicker
  thickest thicket thickli thief thiev thigh thimbl thin thing think thinker thinli thinner thinnest third thirst
  thirsti thirstier thirstiest thirteen thirteenth thirti thirtieth thistl thong thorn thorni thornier thorniest
  thorough thoroughbr thoroughest thoroughfar thoroughli those thou though thought thoughtfulli thoughtless
  thoughtlessli thousand thousandth thrash thread threadbar threat threaten three thresh thresher threshold threw
  thrice thrift thrifti thriftier thriftiest thrill thriller thrive throat throb throne throng throttl through
  throughout throughput throw throwawai throwback thrown thrust thu thud thug thumb thumbtack thump thunder
  thunderbolt thunderstorm thunderstruck thwart thyme thyroid ti tiara tick ticket tickl ticklish tidal tidbit tide
  tidi tidier tidiest tier tif tiff tiger tight tighten tighter tightest tightli tightrop tightwad tild tile till
  tilt timber time timekeep timeless timeli timeliest timer timescal timet timezon timid timidest timidli tin tinder
  ting tingl tini tinier tiniest tinker tinkl tinni tinnier tinniest tinsel tint tip tipsi tipsier tipsiest tipto
  tirad tire tired tiredest tireless tiresom tissu tit titbit titil titl titter to toad toadstool toast toaster
  tobacco toboggan todai toddl toddler toe toenail toffe toga togeth toggl toi toil toilet token told toler toll
  tomahawk tomato tomb tomboi tombston tomcat tome tomorrow ton tonal tone tong tongu tonic tonight tonn tonnag
  tonsil took tool toolkit toot tooth toothach toothbrush toothpast toothpick top topaz topic topographi topolog
  toppl torch tore torment tormentor torn tornado torpedo torqu torrent torrenti torrid torso tortilla tortois
  tortuou tortur toss tot total totalitarian tote totem totter toucan touch touchdown touchi touchier touchiest
  tough toughen tougher toughest toupe tour tourist tournament tourniquet tousl tout tow toward towel tower town
  townspeopl toxic toxin trace track tract traction tractor trade trademark trader tradition traditionalist traffic
  traffick tragedi tragic trai trail trailer train traine trainer trait traitor tramp trampl trampolin tranc
  tranquil tranquilest tranquillis transac transact transatlant transcend transcontinent transcrib transcrip
  transcript transfer transform transfusion transgres transgress transient transistor transit transition transitori
  translat transliter transluc transmis transmit transmitt transpar transpir transplant transport transpos transvers
  trap trapdoor trapez trapezoid trapper trash trashcan trashi trashier trashiest trauma traumat traumatis travel
  travers travesti trawl trawler treacher treacheri treacl tread treadmil treason treasur treasuri treat treati
  treatis treatment trebl tree treed trek trelli trellis trembl tremend tremor trench trend trendi trendier
  trendiest trepid trespass trestl tri trial triall triangl triangular tribal tribe tribul tribun tribut tributari
  trick trickeri tricki trickier trickiest trickl trickster tricycl trifl trigger trigonometri trill trillion
  trilogi trim trimest trimmer trimmest triniti trinket trio trip tripe tripl triplet triplic tripo tripod trite
  triter tritest triumph triumphant trivia trivial trod trodden troll trollei trombon troop trooper trophi tropic
  trot troubl troublemak troublesom trough trounc troup trouser trout trowel tru truanci truant truce truck trudg
  true truer truest truffl truism truli trump trumpet truncat trunk trust truste trusti trustier trustiest
  trustworthi trustworthiest truth truthfulli try tryout tsar tub tuba tube tuberculosi tubular tuck tuft tug
  tuition tulip tumbl tumbler tummi tumor tumour tumult tumultu tuna tundra tune tuner tunic tunnel turban turbin
  turbul tureen turf turgid turkei turmoil turn turnaround turner turnip turnout turnov turnpik turnstil turntabl
  turpentin turquois turret turtl turtleneck tusk tussl tutor tutori tuxedo twang tweak twee tweed tweet tweezer
  twelfth twelv twenti twentieth twice twiddl twig twilight twin twine twing twinkl twirl twist twister twitch
  twitter two ty tycoon type typefac typescript typeset typesett typewrit typhoid typhoon typhu typic typifi typist
  typograph tyrann tyranni tyrannis tyrant tyre ubiquit udder ugli uglier ugliest ulcer ulterior ultim ultimatum
  ultra ultrason ultraviolet umbrella umpir umpteen unabl unaccept unaccount unadulter unaffect unalt unambigu
  unanim unansw unanswer unarm unassign unassum unattach unattain unattend unattract unauthor unauthoris unavail
  unavoid unawar unbalanc unbear unbeat unbecom unbeliev unbias unblock unborn unbreak unbroken unburden uncanni
  uncanniest unceas uncertain uncertainti unchalleng unchang uncharit unchristian uncl unclean uncleanest unclear
  uncomfort uncommon uncommonest uncompromis unconcern uncondi uncondition unconfirm unconnect unconsci unconstitu
  uncontrol uncontroversi unconven unconvinc uncount uncouth uncov uncultur uncut undamag undaunt undecid undefin
  undemocrat undeni under underbrush undercov undercurr undercut underdog underestim underflow underfoot undergar
  undergo undergon undergradu underground undergrowth underhand underlai underlain underli underlin undermin
  underneath undernourish underp underpass underprivileg underr underscor undershirt undersid underst understand
  understat understood understudi undertak undertaken underton undertook undertow underw underwat underwear
  underweight underworld underwrit underwritten underwrot undeserv undesir undetect undevelop undi undid undisturb
  undo undocu undon undoubt undoubtedli undress undu unduli unearth unearthli uneasi uneasiest uneasili uneconom
  uneduc unemploi unemploy unenlighten unequ unequal unequivoc uner uneth unev uneven unevenli unexpect unexpectedli
  unexplain unfail unfair unfairest unfairli unfaith unfamiliar unfasten unfavor unfavour unfeas unfeel unfil
  unfinish unfit unfold unforeseen unforgett unforgiv unfortun unfound unfriendli unfriendliest unfunni unfurl
  ungainli ungainliest ungodli ungodliest ungrammat ungrat unhappi unhappiest unhappili unhealthi unhealthiest
  unheard unhelp unhook unicorn unicycl unidentifi unif unifi uniform uniformli unilater unimagin unimport unimpress
  uninform uninhibit uniniti uninspir unintellig uninten unintend unintention uninterest union unionis uniqu
  uniquest unison unit uniti univers unjust unjustifi unjustli unkempt unkind unkindest unkindli unkindliest unknown
  unlabel unlaw unleash unless unlik unlikeli unlikeliest unlimit unload unlock unlucki unluckiest unman unmark
  unmarri unmask unmistak unmitig unmodifi unmov unnam unnatur unnecessari unnecessarili unnerv unnot unobtain
  unoccupi unoffici unorigin unorthodox unpack unpaid unparallel unpick unpleas unpleasantli unpopular unpreced
  unpredict unprepar unprincipl unprint unprivileg unprotect unproven unprovok unpublish unqualifi unquestion
  unravel unread unreal unrealist unreason unrecogn unrecognis unrel unreli unremark unrepeat unrepres unreservedli
  unresolv unrest unrestrict unriv unrival unruffl unruli unruliest unsaf unsafest unsai unsaid unsanitari
  unsatisfactori unsatisfi unsavori unsavouri unscath unschedul unscientif unscrew unscrupul unseason unseat
  unseemli unseemliest unseen unset unsettl unsightli unsightliest unsign unskil unsolicit unsolv unsophist unsound
  unsoundest unspeak unspecifi unstabl unstructur unstuck unsubstanti unsuccess unsuccessfulli unsuit unsung
  unsupport unsur unsuspect untangl unten unthink unti untidi untidiest until untir unto untold untouch untrain
  untru untruer untruest untrustworthi unus unusu unveil unwant unwari unwarr unwash unwel unwelcom unwieldi
  unwieldiest unwil unwilling unwind unwis unwisest unwittingli unwork unworthi unwound unwrap unwritten up upbeat
  upbring updat upend upgrad upheav upheld uphil uphold upholst upholster upholsteri upkeep uplift upload upon upper
  uppermost upright upris uproar uproot upset upshot upsid upstair upstand upstart upstream uptak uptight uptown
  upturn upward upwardli uranium urban urbanest urchin urg urgenc urgent urin urn us usabl usag usefulli useless
  uselessli user usher usual usurp utensil uteri uteru util utilis utilitarian utmost utter utterli vacanc vacant
  vacat vaccin vacil vacuou vacuum vagabond vagari vagin vagina vagrant vagu vaguer vaguest vain vainer vainest
  valentin valet valiant valid validli valis vallei valor valour valu valuabl valueless valv vampir van vandal
  vandalis vane vanguard vanilla vanish vaniti vanquish vapor vaporis vapour vari variabl varianc variant variat
  varieti variou various varnish varsiti vase vast vaster vastest vastli vat vault veal vector veer veget vegetarian
  vehement vehicl veil vein veloc velour velvet velveti vend vendor veneer vener veng vengeanc venison venom vent
  ventil ventricl ventriloquist ventur venu verac veranda verb verbal verbatim verbiag verbos verdict verg veri
  verier veriest verif verifi verit vermin vernacular vers versatil version versu vertebr vertebra vertic vertigo
  verv vessel vest vestibul vestig vestment vet veteran veterinari veterinarian veto vex vexat vi viabil viabl
  viaduct vial vibrant vibrat vicar vicari vice vicin viciou vicious victim victimis victor victori video videotap
  view viewer viewpoint vigil vigilant vigor vigour vile viler vilest vilifi villa villag villain villaini vindic
  vindict vine vinegar vineyard vintag vinyl viola violat violenc violent violet violin viper viral virgin viril
  virtu virtual virtuoso virtuou virtuous viru virul virus visa vise visibl vision visionari visit visitor visor
  vista visual visualis vital vitamin vitriol vivac vivaci vivid vividest vividli vivisec vocabulari vocal vocalist
  vocat vocifer vodka vogu voic void volatil volcan volcano volition vollei volleybal volt voltag volum volumin
  volunt voluntari voluntarili voluptu vomit voodoo voraci vortex vote voter vouch voucher vow vowel voyag vulgar
  vulgarest vulner vultur vy wad waddl wade wafer waffl waft wag wage wager wagon wai waif wail waist waistlin wait
  waiter waitress waiv waiver wake waken walk walker walkout wall wallet wallop wallow wallpap walnut walru walrus
  waltz wand wander wane wanna wanner wannest want wanton war warbl ward warden wardrob wareh warehous warfar
  warhead wari warier wariest warlik warm warmer warmest warmli warmth warn warp warpath warrant warranti warren
  warrior wart wartim wash washabl washcloth washer washout washroom wasp wast wastag wastebasket wastefulli
  wasteland watch watchdog watchman watchmen watchword water watercolor watercolour waterfal waterfront wateri
  wateriest waterlog watermark watermelon waterproof watersh watertight waterwai waterwork watt wave waveform
  wavelength waver wavi wavier waviest wax waxi waxier waxiest waylai waylaid waysid wayward weak weaken weaker
  weakest weakl weakli wealth wealthi wealthier wealthiest wean weapon weaponri wear weari wearier weariest wearili
  wearisom weasel weather weav weaver web wed wedder wedg wedlock wee weed weedi weedier weediest week weekdai
  weekend weekli weep weer weest weigh weight weighti weightier weightiest weird weirder weirdest weirdo welcom weld
  welder welfar well wellington welt welter went wept were werewolf werewolv west westerli western westward wet
  wetter wettest whack whale whaler wharf wharv what whatev whatsoev wheat wheedl wheel wheelbarrow wheelchair wheez
  when whenc whenev where wherea whereabout wherebi wherein whereupon wherev wherewith whet whether whew which
  whichev whif whiff while whilst whim whimper whimsic whine whinni whip whir whirl whirlpool whirlwind whirr whisk
  whiskei whisker whiski whisper whistl white whiten whiter whitest whitewash whittl whiz whizz whoa whoever whole
  wholeheart wholeheartedli wholes wholesal wholesom wholli whom whoop whopper whore whose why wick wicked wickedest
  wickedli wicker wicket wide widen wider widespread widest widow width wield wife wig wiggl wigwam wil wild wildcat
  wilder wildest wildfir wildli wildlif wilfulli wili wilier wiliest will willfulli willing willingli willow willpow
  wilt win winc winch wind windfal windi windier windiest windmil window windowpan windpip windscreen windshield
  wine wing winger wink winner winsom winsomest winter wintertim wintri wintrier wintriest wipe wiper wire wiri
  wirier wiriest wisdom wise wisecrack wiser wisest wish wishbon wisp wispi wispier wispiest wist wistfulli wit
  witch witchcraft with withdraw withdrawn withdrew wither withheld withhold within without withstand withstood
  witless witti wittic wittier wittiest wive wizard wizen wobbl wobblier wobbliest woe wok woke woken wolf wolv
  woman womanhood womankind womb wombat women wonder wonderfulli wonderland wondrou wont woo wood woodchuck wooden
  woodenest woodi woodier woodiest woodland woodpeck woodsman woodsmen woodwind woodwork woof wool woolen woollen
  woolli woollier woolliest word wordi wordier wordiest wore work workabl workbench workbook worker workforc
  workload workman workmanship workmen workout workplac workshop workstat world worldli worldlier worldliest
  worldwid worm wormhol worn worri worrisom wors worsen worship worshipp worst worth worthi worthier worthiest
  worthless worthwhil would wound wounder wove woven wow wrangl wrangler wrap wrapper wrath wreak wreath wreck
  wreckag wrecker wren wrench wrest wrestl wrestler wretch wretched wretchedest wriggl wright wring wringer wrinkl
  wrist wristwatch writ writabl write writer writh written wrong wrongdo wrongdoer wronger wrongest wrongli wrote
  wrought wrung wryer wryest xenophobia xylophon yacht yak yam yank yap yard yardstick yarn yawn year yearl yearli
  yearn yeast yell yellow yellowest yelp yen yese yess yesterdai yeti yew yield yodel yoga yogurt yoke yokel yolk
  yonder you young younger youngest youngster your yourself yourselv youth yowl yuck zani zanier zaniest zeal zealou
  zebra zenith zero zest zeta zigzag zillion zinc zinck zip zipper zodiac zombi zone zoo zoolog zoologi zoologist
  zoom zucchini
`
