"""Words too frequent to distinguish topics, by the ISO 639-1 code of the language.

Short lists of function words in lower case, compared before stemming. They include the parts of
contractions (`don`, `ll`, `qu`).
"""

from __future__ import annotations

_LISTS = {
    "en": """
        a about above across after afterwards again against all almost alone along already also
        although always am among amongst an and another any anybody anyhow anyone anything anyway
        anywhere are aren around as at back be became because become becomes becoming been before
        beforehand behind being below beside besides between beyond both but by can cannot could
        couldn did didn do does doesn doing don done down due during each either else elsewhere
        enough etc even ever every everybody everyone everything everywhere except few for former
        formerly from further get gets got had hadn has hasn have haven having he hence her here
        hereby herein hers herself him himself his how however i ie if in indeed instead into is
        isn it its itself just last latter least less let ll many may maybe me meanwhile might
        mine more moreover most mostly much must mustn my myself namely neither never nevertheless
        next no nobody none nor not nothing now nowhere of off often on once one only onto or
        other others otherwise ought our ours ourselves out over own per perhaps please put quite
        rather re really same see seem seemed seeming seems several shall shan she should shouldn
        since so some somebody somehow someone something sometime sometimes somewhere still such
        than that the their theirs them themselves then thence there thereafter thereby therefore
        therein these they this those though through throughout thru thus to together too toward
        towards under until unless up upon us using ve very via was wasn we well were weren what
        whatever when whence whenever where whereas whereby wherein whereupon wherever whether
        which while whither who whoever whole whom whose why will with within without won would
        wouldn yet you your yours yourself yourselves
    """,
    "de": """
        aber alle allem allen aller alles als also am an ander andere anderen anderer anderes auch
        auf aus bei beim bin bis bist da damit dann das dass dazu dein deine dem den denn der des
        dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem
        einen einer eines einige er es etwas euch euer für gegen gewesen hab habe haben hat hatte
        hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist
        jede jedem jeden jeder jedes jene jetzt kann kein keine keinem keinen keiner können könnte
        machen man manche mehr mein meine mich mir mit muss nach nicht nichts noch nun nur ob oder
        ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so solche soll sollte
        sondern sonst sowie über um und uns unser unsere unter viel vom von vor während war waren
        warum was weil weiter welche welcher wenn wer werde werden wie wieder will wir wird wo
        wollen worden wurde wurden würde zu zum zur zwar zwischen
    """,
    "fr": """
        afin ai ainsi alors après as au aucun aussi autre autres aux avait avant avec avez avoir
        avons beaucoup bien car ce ceci cela celle celles celui cependant ces cet cette ceux
        chaque chez ci comme comment d dans de depuis des donc dont du elle elles en encore entre
        es est et étaient était étant été être eu eux fait faire fois font il ils j je jusqu l la
        là le les leur leurs lors lui m ma mais me même mêmes mes moi moins mon n ne ni non nos
        notre nous on ont or ou où par parce pas pendant peu peut peuvent plus plusieurs pour
        pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses
        si son sont sous sur t ta te tes toi ton toujours tous tout toute toutes très tu un une
        vers voir vos votre vous y
    """,
    "es": """
        a al algo algunas algunos alguno ante antes aquel aquella aunque aún así bajo bien cada
        casi como con contra cosa cual cuales cuando cuanto cómo de debe del desde después donde
        dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está
        están estar estas este esto estos fue fueron ha había habían haber hace hacer hacia han
        hasta hay he la las le les lo los luego más me mediante menos mi mis mientras mismo mucho
        muchos muy nada ni no nos nosotros nuestra nuestro o otra otras otro otros para pero poco
        por porque pues que qué quien quienes se sea según ser si sí sido siempre sin sino sobre
        solo sólo son soy su sus también tan tanto te tiene tienen toda todas todavía todo todos
        tras tu tus un una unas uno unos usted ustedes ya y yo
    """,
    "it": """
        a ad agli ai al alcuni alcune alla alle allo altra altre altri altro anche ancora avere
        aveva avevano bene c che chi ci cioè come con contro cosa così cui d da dagli dai dal
        dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove due e è ed era
        erano essere fa fare fino fra fu già gli ha hai hanno ho i il in infatti invece io l la le
        lei li lo loro lui ma me meno mentre mi mia mio molto ne negli nei nel nell nella nelle
        nello no noi non nostra nostro o ogni oppure per perché però più poi poco prima proprio
        può qua quale quali quando quanto quasi quella quelle quelli quello questa queste questi
        questo qui se sé sei sempre senza si sia solo sono sopra sotto sta stata stato su sua
        sugli sui sul sulla sulle suo suoi tra tu tutta tutte tutti tutto un una uno va verso vi
        voi
    """,
    "nl": """
        aan achter al alle alleen alles als altijd andere anders ben bij binnen boven buiten daar
        daarom dan dat de den der deze die dit doch doen door dus een eens en er ervan ge geen
        geweest had hadden heb hebben heeft hem het hier hij hoe hoewel hun ieder iedere iemand
        iets ik in is ja je jij jou jullie kan kon kunnen maar me mee meer meest men met mij mijn
        moet moeten na naar niet niets nog nu of om omdat onder ons onze onder ook op over reeds
        sinds soms te tegen ten ter terwijl toch toen tot tussen u uit uw van vanaf veel via voor
        voordat waar waarom want waren was wat we weer wel welke werd werden wie wij wil worden
        wordt zal ze zei zelf zelfs zich zij zijn zo zoals zonder zou zouden
    """,
    "pt": """
        a à ao aos apenas aquela aquele aquilo as às até cada com como contra da das de dela dele
        deles depois desde dessa desse desta deste do dos e é ela elas ele eles em embora enquanto
        então entre era eram essa essas esse esses esta está estão estar estas este estes eu faz
        foi foram há isso isto já lhe mais mas me mesma mesmo meu minha muito muitos na não nas
        nem nessa nesse nesta neste no nos nós nossa nosso num numa o onde os ou outra outras
        outro outros para pela pelas pelo pelos pode podem pois por porque porém qual quando que
        quem se seja sem sempre ser será seu seus só sob sobre sua suas também tem têm ter teve
        toda todas todo todos tudo um uma umas uns você vocês
    """,
}

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(text.split()) for language, text in _LISTS.items()
}
